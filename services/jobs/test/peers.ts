import { type Bus, connectBus } from '@joblisting/bus';
import {
  acquireCategories,
  type AssignedCategory,
  type BodyOf,
  createLink,
  forgetJobs,
  getCategory,
  getCompany,
  listCategories,
  type Operation,
  releaseCategories,
  removeLinks,
  ServiceError,
  unavailable,
} from '@joblisting/contracts';
import { createLog, endpoint } from '@joblisting/service-kit';

interface StandInCategory {
  readonly name: string;
  readonly version: number;
  readonly companyId?: number;
  readonly isSystem?: boolean;
}

/** What the other services were told, and how they behave: what a test changes and looks at. */
export interface Peers {
  readonly bus: Bus;
  /** Category references by job: category id to the version that acquired it last. */
  readonly references: Map<number, Map<number, number>>;
  /** Category names by id. New names get ids from 100. */
  readonly categories: Map<number, StandInCategory>;
  /** The operations of `categories` that were requested. */
  readonly categoryRequests: string[];
  /** Nobody serves `categories`. */
  categoriesAway: boolean;
  readonly links: Set<number>;
  readonly forgotten: Set<number>;
  /** Called before each acquisition is answered. */
  beforeAcquire: () => Promise<void>;
  /** Throwing makes the peer refuse; a promise makes it slow. The job, where a link is to be made. */
  linkFault: (jobId?: number) => Promise<void>;
  /** Throwing makes a look-up of a category fail. */
  categoryFault: () => Promise<void>;
  linksFinal: boolean;
  stop: () => Promise<void>;
}

const nothing = () => Promise.resolve();
const log = createLog('peers', 'silent');

/**
 * Stands in for accounts, categories, shortlink and metrics: peers across the contracts, on the real bus.
 * @param without operations that nobody serves
 */
export async function startPeers(url: string, without: readonly Operation[] = []): Promise<Peers> {
  const bus = await connectBus({ url, name: 'peers' });
  const peers: Peers = {
    bus,
    references: new Map(),
    categories: new Map<number, StandInCategory>([
      ...[1, 2, 3, 4, 5, 6].map((id) => [id, { name: `Category ${id}`, version: 1 }] as const),
      ...[901, 902].map((id) => [id, { name: `System ${id}`, version: 1, isSystem: true }] as const),
    ]),
    categoryRequests: [],
    categoriesAway: false,
    links: new Set(),
    forgotten: new Set(),
    beforeAcquire: nothing,
    linkFault: nothing,
    categoryFault: nothing,
    linksFinal: true,
    stop: async () => {
      await served.stop();
      await bus.close();
    },
  };

  const assign = (reference: { id?: number; name?: string }, index: number): AssignedCategory => {
    const known = [...peers.categories].find(
      ([id, { name }]) => id === reference.id || name === reference.name,
    );
    if (known) return { id: known[0], name: known[1].name, version: known[1].version, created: false };
    if (reference.name === undefined) {
      const pointer = `#/categories/${index}/id`;
      throw new ServiceError('validation_failed', 'no such category', {
        errors: [{ pointer, code: 'unknown_id', detail: 'no such category' }],
      });
    }
    const id = 100 + peers.categories.size;
    peers.categories.set(id, { name: reference.name, version: 1 });
    return { id, name: reference.name, version: 1, created: true };
  };

  const noteRequest = (operation: string) => {
    if (peers.categoriesAway) throw unavailable('no_responder');
    peers.categoryRequests.push(operation);
  };

  const acquire = async ({ jobId, version, categories }: BodyOf<typeof acquireCategories>) => {
    noteRequest('acquire');
    await peers.beforeAcquire();
    const assigned = categories.map(assign);
    const held = peers.references.get(jobId) ?? new Map<number, number>();
    for (const { id } of assigned) if (!peers.categories.get(id)?.isSystem) held.set(id, version);
    peers.references.set(jobId, held);
    return assigned;
  };

  const linkOf = async (jobId: number) => {
    await peers.linkFault(jobId);
    if (!peers.linksFinal) return { url: 'https://fallback.example', final: false };
    peers.links.add(jobId);
    return { url: `https://s.example/${jobId}`, final: true };
  };

  const endpoints = [
    endpoint(
      getCompany,
      ({ params: { id } }) => {
        if (id >= 900) throw new ServiceError('company_not_found');
        return Promise.resolve({ data: { id, name: `Company ${id}` } });
      },
      log,
    ),
    endpoint(
      getCategory,
      async ({ params: { id } }) => {
        noteRequest('get');
        await peers.categoryFault();
        const known = peers.categories.get(id);
        if (!known) throw new ServiceError('category_not_found');
        return { data: { id, name: known.name, company: known.companyId ? { id: known.companyId } : null } };
      },
      log,
    ),
    endpoint(
      listCategories,
      async () => {
        noteRequest('list');
        const system = [...peers.categories].filter(([, { isSystem }]) => isSystem);
        return { data: system.map(([id, { name }]) => ({ id, name, company: null })) };
      },
      log,
    ),
    endpoint(acquireCategories, async ({ body }) => ({ data: { categories: await acquire(body) } }), log),
    endpoint(
      releaseCategories,
      async ({ body: { jobId, version, keep } }) => {
        noteRequest('release');
        const held = peers.references.get(jobId) ?? new Map<number, number>();
        const gone = [...held].filter(([id, acquired]) => acquired <= version && !keep.includes(id));
        for (const [id] of gone) held.delete(id);
        return { data: { released: gone.length } };
      },
      log,
    ),
    endpoint(createLink, async ({ body: { jobId } }) => ({ data: await linkOf(jobId) }), log),
    endpoint(
      removeLinks,
      async ({ body: { jobIds } }) => {
        await peers.linkFault();
        return { data: { removed: jobIds.filter((id) => peers.links.delete(id)).length } };
      },
      log,
    ),
    endpoint(
      forgetJobs,
      ({ body: { jobIds } }) => {
        for (const id of jobIds) peers.forgotten.add(id);
        return Promise.resolve({ data: { forgotten: jobIds.length } });
      },
      log,
    ),
  ];
  const there = endpoints.filter(({ operation }) => !without.includes(operation));
  const served = await bus.serve(there, {
    name: 'peers',
    version: '1.0.0',
    description: 'stand-ins',
    maxInFlight: 1000,
    onError: () => undefined,
  });
  return peers;
}

/** The category ids that a job is counted on, in order. */
export const referencesOf = (peers: Peers, jobId: number): number[] =>
  [...(peers.references.get(jobId)?.keys() ?? [])].toSorted((a, b) => a - b);
