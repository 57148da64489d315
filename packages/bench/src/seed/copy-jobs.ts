import { waitFor } from '@joblisting/testing';
import type { Product } from '../system/product.ts';
import type { Servers } from '../system/servers.ts';
import type { BenchCompany, World } from '../system/world.ts';
import type { Copies } from './copies.ts';
import { counted, LIST_TOTALS, RELAY, type StoredJob, totalOf, uncounted } from './stored-shape.ts';
import type { Template } from './templates.ts';

const CHUNK = 2000;
const DERIVED_LIMIT_MS = 15 * 60_000;

/**
 * Inserts copies of templates into the database of the stopped jobs service, because HTTP would take too long. The
 * service publishes no events of them.
 */
export async function copyJobs(
  servers: Servers,
  product: Product,
  { copies, templates, world }: { copies: Copies; templates: readonly Template[]; world: World },
): Promise<void> {
  const copyAt = (offset: number): StoredJob => {
    const { id, company, template } = copies.at(offset);
    return copyOf((templates[template] as Template).stored, id, world.companies[company] as BenchCompany);
  };
  await insertJobs(servers, product, copies.total, copyAt);
  await servers.mongod.withDatabase(`${product.databasePrefix}jobs`, (database) =>
    database.dropCollection(RELAY),
  );
}

/** Resolves when the running jobs service has counted all its jobs. */
export async function untilDerived(servers: Servers, product: Product): Promise<void> {
  await servers.mongod.withDatabase(`${product.databasePrefix}jobs`, (database) => {
    const isDone = async () => (await database.collection('jobs').findOne(uncounted)) === null;
    return waitFor(isDone, { limitMs: DERIVED_LIMIT_MS, everyMs: 1000, what: 'the counts of the lists' });
  });
}

/** The same job with another id and company. */
export function copyOf(stored: StoredJob, id: number, company: BenchCompany): StoredJob {
  return {
    ...counted(stored),
    _id: id,
    companyId: company.id,
    companyName: company.name,
    referenceId: `copy-${id}`,
  };
}

/** Inserts jobs and counts them for their lists: the service would take minutes. */
export async function insertJobs(
  servers: Servers,
  product: Product,
  total: number,
  jobAt: (offset: number) => StoredJob,
): Promise<void> {
  const more = new Map<number, Record<string, number>>();
  const countedAt = (offset: number): StoredJob => {
    const job = jobAt(offset);
    const ofCompany = more.get(Number(job['companyId'])) ?? {};
    const total = totalOf(Number(job['statusId']));
    ofCompany[total] = (ofCompany[total] ?? 0) + 1;
    more.set(Number(job['companyId']), ofCompany);
    return job;
  };
  await servers.mongod.withDatabase(`${product.databasePrefix}jobs`, async (database) => {
    await insertCopies(database.collection<StoredJob>('jobs'), total, countedAt);
    const totals = database.collection<{ _id: number }>(LIST_TOTALS);
    for (const [_id, $inc] of more) await totals.updateOne({ _id }, { $inc }, { upsert: true });
  });
}

interface Insertable {
  readonly insertMany: (documents: never[], options: object) => Promise<unknown>;
}

/** Inserts `total` documents, two chunks at a time. */
export async function insertCopies(
  collection: Insertable,
  total: number,
  copyAt: (offset: number) => object,
): Promise<void> {
  let from = 0;
  const insert = async (): Promise<void> => {
    while (from < total) {
      const first = from;
      from += CHUNK;
      const length = Math.min(CHUNK, total - first);
      const documents = Array.from({ length }, (_, index) => copyAt(first + index));
      await collection.insertMany(documents as never[], { ordered: false, writeConcern: { w: 1, j: false } });
    }
  };
  await Promise.all([insert(), insert()]);
}
