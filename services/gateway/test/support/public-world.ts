import {
  createCategory,
  createJob,
  deleteCategory,
  getCategory,
  jobTypes,
  listCategories,
  listJobTypes,
  ServiceError,
  updateCategory,
  type Warning,
} from '@joblisting/contracts';
import { customCategory, job } from '../../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './gateway.ts';
import { keys } from './stand-ins.ts';

const FIRST_NAME = 'Game Design';
const json = { ...keys, 'Content-Type': 'application/json' };

/** The options of a request with this body, without its method. */
export const sent = (body: object) => ({ headers: json, body: JSON.stringify(body) });

export const read = (gateway: TestGateway, path: string, headers: Record<string, string> = {}) =>
  ask(gateway.base + path, { headers });

export const nameOf = async (gateway: TestGateway): Promise<string> =>
  (await read(gateway, '/jobcategories/1')).body.data.name;

export const rename = (gateway: TestGateway, name: string) =>
  ask(`${gateway.base}/jobcategories/1`, { method: 'PUT', ...sent({ name }) });

/** The state of the stand-ins of public data. */
interface OwnerState {
  /** The name of every category. */
  name: string;
  /** The requests that arrived. */
  requests: string[];
  refusal: ServiceError | undefined;
  /** The warnings of a created job, whose title becomes the new name. */
  warnings: readonly Warning[];
  held: { readonly came: () => void; readonly until: Promise<void> } | undefined;
}

export type PublicWorld = Awaited<ReturnType<typeof startPublicWorld>>;

/** Two gateways with a stopped monotonic clock and stand-ins of the owners of public data. */
export async function startPublicWorld() {
  let now = 0;
  const monotonic = () => now;
  const first = await startGateway({}, { monotonic });
  const second = await startGateway({}, { beside: first, monotonic });
  const fresh = (): OwnerState => ({
    name: FIRST_NAME,
    requests: [],
    refusal: undefined,
    warnings: [],
    held: undefined,
  });
  const owner = fresh();
  const category = (id: number) => ({ ...customCategory, id, name: owner.name });

  const answer = async <T>(what: string, data: () => T) => {
    owner.requests.push(what);
    if (owner.refusal) throw owner.refusal;
    const result = { version: 1, data: data() };
    const { held } = owner;
    owner.held = undefined;
    held?.came();
    await held?.until;
    return result;
  };

  const reader = await first.standIn(getCategory, async ({ params }) =>
    answer(`get ${params.id}`, () => category(params.id)),
  );
  await first.standIn(listCategories, async ({ params }) => {
    const companyId = params['company.id'] ?? 0;
    return answer(`list ${companyId}`, () => [category(companyId)]);
  });
  await first.standIn(updateCategory, async ({ params, body }) => {
    owner.name = body.name ?? owner.name;
    return { data: category(params.id) };
  });
  await first.standIn(createCategory, async ({ body }) => {
    owner.name = body.name;
    return { outcome: 'created', id: 9, data: category(9) };
  });
  await first.standIn(deleteCategory, async () => {
    owner.name = 'deleted';
    throw new ServiceError('deadline_exceeded');
  });
  await first.standIn(listJobTypes, async () => answer('types', () => [...jobTypes]));
  await first.standIn(createJob, async ({ body, warnings }) => {
    owner.name = body.title;
    warnings.push(...owner.warnings);
    return { outcome: 'created', id: job.id, data: job };
  });

  return {
    first,
    second,
    owner,
    pass: (ms: number): void => {
      now += ms;
    },
    /** Resets the stand-ins and lets every cached answer expire. */
    reset: (): void => {
      now += 10_000;
      Object.assign(owner, fresh());
    },
    /** Delays the next answer until `goOn`, after its name was read. */
    holdNext: () => {
      const came = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      owner.held = { came: came.resolve, until: goOn.promise };
      return { came: came.promise, goOn: goOn.resolve };
    },
    stopReader: () => reader.close(),
    stop: async () => {
      await second.stop();
      await first.stop();
    },
  };
}
