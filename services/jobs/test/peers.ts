import {
  acquireCategories,
  type AssignedCategory,
  type BodyOf,
  createLink,
  forgetJobs,
  getCategory,
  getCompany,
  listCategories,
  previewCategories,
  releaseCategories,
  removeLinks,
  ServiceError,
  unavailable,
} from '@joblisting/contracts';
import { standIn } from '@joblisting/testing/system';

export interface StandInCategory {
  readonly name: string;
  readonly version: number;
  readonly companyId?: number;
  readonly isSystem?: boolean;
}

/** What the stand-ins of the other services store, and how they behave. Tests change it. */
export interface Peers {
  /** Category references by job: category id to the version that acquired it last. */
  readonly references: Map<number, Map<number, number>>;
  /** Categories by id. New ones get ids from 100. */
  readonly categories: Map<number, StandInCategory>;
  /** The requests that the stand-in of `categories` answered. */
  readonly categoryRequests: string[];
  /** The operations of `categories` have no responder. */
  categoriesAway: boolean;
  /** Names of companies other than `Company <id>`. */
  readonly companyNames: Map<number, string>;
  /** Runs between the look-up of a company and the reply. */
  companyFault: () => Promise<void>;
  /** The jobs that have a link. */
  readonly links: Set<number>;
  /** The jobs whose counters `metrics` had to drop. */
  readonly forgotten: Set<number>;
  /** Runs before each acquisition. */
  beforeAcquire: () => Promise<void>;
  /** Runs before each operation on links, with the job of a new link. */
  linkFault: (jobId?: number) => Promise<void>;
  /** Runs before each look-up of a category. */
  categoryFault: () => Promise<void>;
  /** False: `shortlink` answers a fallback. */
  linksFinal: boolean;
}

const nothing = (): Promise<void> => Promise.resolve();

const newPeers = (): Peers => ({
  references: new Map(),
  categories: new Map<number, StandInCategory>([
    ...[1, 2, 3, 4, 5, 6].map((id) => [id, { name: `Category ${id}`, version: 1 }] as const),
    ...[901, 902].map((id) => [id, { name: `System ${id}`, version: 1, isSystem: true }] as const),
  ]),
  categoryRequests: [],
  categoriesAway: false,
  companyNames: new Map(),
  companyFault: nothing,
  links: new Set(),
  forgotten: new Set(),
  beforeAcquire: nothing,
  linkFault: nothing,
  categoryFault: nothing,
  linksFinal: true,
});

/** Stand-ins of accounts, categories, shortlink and metrics. */
export function standInPeers() {
  const peers = newPeers();

  const find = (reference: { id?: number; name?: string }, index: number): AssignedCategory | undefined => {
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
    return undefined;
  };

  const assign = (reference: { id?: number; name?: string }, index: number): AssignedCategory => {
    const known = find(reference, index);
    if (known) return known;
    const { name = '' } = reference;
    const id = 100 + peers.categories.size;
    peers.categories.set(id, { name, version: 1 });
    return { id, name, version: 1, created: true };
  };

  const preview = (categories: BodyOf<typeof previewCategories>['categories']): AssignedCategory[] =>
    categories.map((reference, index) => {
      const { name = '' } = reference;
      const first = categories.findIndex((other) => other.name === name);
      return find(reference, index) ?? { id: -first, name, version: 1, created: first === index };
    });

  const noteCategoryRequest = (operation: string) => {
    if (peers.categoriesAway) throw unavailable('no_responder');
    peers.categoryRequests.push(operation);
  };

  const acquire = async ({ jobId, version, categories }: BodyOf<typeof acquireCategories>) => {
    noteCategoryRequest('acquire');
    await peers.beforeAcquire();
    const assigned = categories.map(assign);
    const acquired = peers.references.get(jobId) ?? new Map<number, number>();
    for (const { id } of assigned) if (!peers.categories.get(id)?.isSystem) acquired.set(id, version);
    peers.references.set(jobId, acquired);
    return assigned;
  };

  const standIns = [
    standIn(getCompany, async ({ params: { id } }) => {
      if (id >= 900) throw new ServiceError('company_not_found');
      const name = peers.companyNames.get(id) ?? `Company ${id}`;
      await peers.companyFault();
      return { data: { id, name } };
    }),
    standIn(getCategory, async ({ params: { id } }) => {
      noteCategoryRequest('get');
      await peers.categoryFault();
      const known = peers.categories.get(id);
      if (!known) throw new ServiceError('category_not_found');
      return { data: { id, name: known.name, company: known.companyId ? { id: known.companyId } : null } };
    }),
    standIn(listCategories, async () => {
      noteCategoryRequest('list');
      const system = [...peers.categories].filter(([, { isSystem }]) => isSystem);
      return { data: system.map(([id, { name }]) => ({ id, name, company: null })) };
    }),
    standIn(acquireCategories, async ({ body }) => ({ data: { categories: await acquire(body) } })),
    standIn(previewCategories, async ({ body }) => {
      noteCategoryRequest('preview');
      return { data: { categories: preview(body.categories) } };
    }),
    standIn(releaseCategories, async ({ body: { jobId, version, keep } }) => {
      noteCategoryRequest('release');
      const acquired = peers.references.get(jobId) ?? new Map<number, number>();
      const released = [...acquired].filter(([id, by]) => by <= version && !keep.includes(id));
      for (const [id] of released) acquired.delete(id);
      return { data: { released: released.length } };
    }),
    standIn(createLink, async ({ body: { jobId } }) => {
      await peers.linkFault(jobId);
      if (!peers.linksFinal) return { data: { url: 'https://fallback.example', final: false } };
      peers.links.add(jobId);
      return { data: { url: `https://s.example/${jobId}`, final: true } };
    }),
    standIn(removeLinks, async ({ body: { jobIds } }) => {
      await peers.linkFault();
      return { data: { removed: jobIds.filter((id) => peers.links.delete(id)).length } };
    }),
    standIn(forgetJobs, async ({ body: { jobIds } }) => {
      for (const id of jobIds) peers.forgotten.add(id);
      return { data: { forgotten: jobIds.length } };
    }),
  ];
  return { peers, standIns };
}

/** The ids of the categories that a job references, in order. */
export const referencesOf = (peers: Peers, jobId: number): number[] =>
  [...(peers.references.get(jobId)?.keys() ?? [])].toSorted((a, b) => a - b);
