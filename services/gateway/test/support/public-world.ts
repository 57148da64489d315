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
import { keys, type Peer } from './peers.ts';

const FIRST_NAME = 'Game Design';
const json = { ...keys, 'Content-Type': 'application/json' };

/** What a request with this body needs besides its method. */
export const sent = (body: object) => ({ headers: json, body: JSON.stringify(body) });

export const read = (gateway: TestGateway, path: string, headers: Record<string, string> = {}) =>
  ask(gateway.base + path, { headers });

export const nameOf = async (gateway: TestGateway): Promise<string> =>
  (await read(gateway, '/jobcategories/1')).body.data.name;

export const rename = (gateway: TestGateway, name: string) =>
  ask(`${gateway.base}/jobcategories/1`, { method: 'PUT', ...sent({ name }) });

/** What the played `categories` is to do, and what it was asked. */
interface Played {
  /** Of every category. */
  name: string;
  asked: string[];
  refusal: ServiceError | undefined;
  /** What `jobs` says of a job that it makes, whose title is the new name. */
  warnings: readonly Warning[];
  held: { readonly came: () => void; readonly until: Promise<void> } | undefined;
}

export type PublicWorld = Awaited<ReturnType<typeof startPublicWorld>>;

/** Two gateways with a monotonic clock that stands still, in front of played owners of what is public. */
export async function startPublicWorld() {
  let now = 0;
  const monotonic = () => now;
  const first = await startGateway({}, { monotonic });
  const second = await startGateway({}, { beside: first, monotonic });
  const fresh = (): Played => ({
    name: FIRST_NAME,
    asked: [],
    refusal: undefined,
    warnings: [],
    held: undefined,
  });
  const played = fresh();
  const category = (id: number) => ({ ...customCategory, id, name: played.name });

  const answer = async <T>(what: string, data: () => T) => {
    played.asked.push(what);
    if (played.refusal) throw played.refusal;
    const result = { version: 1, data: data() };
    const { held } = played;
    played.held = undefined;
    held?.came();
    await held?.until;
    return result;
  };

  const reader: Peer = await first.play(getCategory, async ({ params }) =>
    answer(`get ${params.id}`, () => category(params.id)),
  );
  await first.play(listCategories, async ({ params }) => {
    const companyId = params['company.id'] ?? 0;
    return answer(`list ${companyId}`, () => [category(companyId)]);
  });
  await first.play(updateCategory, async ({ params, body }) => {
    played.name = body.name ?? played.name;
    return { data: category(params.id) };
  });
  await first.play(createCategory, async ({ body }) => {
    played.name = body.name;
    return { outcome: 'created', id: 9, data: category(9) };
  });
  await first.play(deleteCategory, async () => {
    played.name = 'deleted';
    throw new ServiceError('deadline_exceeded');
  });
  await first.play(listJobTypes, async () => answer('types', () => [...jobTypes]));
  await first.play(createJob, async ({ body, warnings }) => {
    played.name = body.title;
    warnings.push(...played.warnings);
    return { outcome: 'created', id: job.id, data: job };
  });

  return {
    first,
    second,
    played,
    pass: (ms: number): void => {
      now += ms;
    },
    /** Begins anew: what was kept is too old. */
    reset: (): void => {
      now += 10_000;
      Object.assign(played, fresh());
    },
    /** Holds the next question, which has read the name by then, until it is let go on. */
    holdNext: () => {
      const came = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      played.held = { came: came.resolve, until: goOn.promise };
      return { came: came.promise, goOn: goOn.resolve };
    },
    stopReader: () => reader.stop(),
    stop: async () => {
      await second.stop();
      await first.stop();
    },
  };
}
