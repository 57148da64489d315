import { dueIds } from '../seed/due-jobs.ts';
import { dueAt } from '../seed/stored-shape.ts';
import type { Servers } from '../system/servers.ts';

const WRITE_CONCERN = { w: 'majority', j: true } as const;

/** What one updateMany of the due jobs takes, in milliseconds: on a copy of them, under the same indexes. */
export async function plainUpdate(
  { mongod }: Servers,
  databaseName: string,
  { noon, update }: { readonly noon: number; readonly update: object },
): Promise<number> {
  return mongod.withDatabase(databaseName, async (database) => {
    const jobs = database.collection('jobs');
    const copy = database.collection('bench_due');
    await jobs.aggregate([{ $match: dueIds }, { $out: 'bench_due' }]).toArray();
    for (const { key, name, unique, partialFilterExpression } of await jobs.indexes()) {
      if (name === '_id_') continue;
      await copy.createIndex(key, {
        ...(name !== undefined && { name }),
        unique: unique === true,
        ...(partialFilterExpression && { partialFilterExpression }),
      });
    }
    const since = performance.now();
    await copy.updateMany(dueAt(noon), update, { writeConcern: WRITE_CONCERN });
    const took = performance.now() - since;
    await copy.drop();
    return took;
  });
}
