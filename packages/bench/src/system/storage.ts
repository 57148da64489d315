import type { Servers } from './servers.ts';

/** What a database takes on disk, indexes too, once all of it has been written there. */
export async function databaseBytes({ mongod }: Servers, name: string): Promise<number> {
  await mongod.withDatabase('admin', (admin) => admin.command({ fsync: 1 }));
  const { storageSize, indexSize } = await mongod.withDatabase(name, (database) => database.stats());
  return Number(storageSize) + Number(indexSize);
}
