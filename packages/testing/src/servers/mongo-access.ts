import type { mongo } from 'mongoose';

/** Direct access to the databases of services. */
export type MongoAccess = {
  withDatabase: <T>(name: string, work: (database: mongo.Db) => Promise<T>) => Promise<T>;
  /** Reads all documents of a collection. */
  read: <T extends object>(database: string, collection: string, projection?: object) => Promise<T[]>;
};

type WithClient = <T>(work: (client: mongo.MongoClient) => Promise<T>) => Promise<T>;

/** Every call opens a new connection, because tests kill the server in between. */
export function mongoAccess(uri: string): MongoAccess & { withClient: WithClient } {
  const withClient: WithClient = async (work) => {
    const { mongo } = await import('mongoose');
    const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 1000 });
    try {
      return await work(await client.connect());
    } finally {
      await client.close();
    }
  };
  return {
    withClient,
    withDatabase: (name, work) => withClient((client) => work(client.db(name))),
    read: <T extends object>(database: string, collection: string, projection: object = {}) =>
      withClient((client) =>
        client.db(database).collection(collection).find({}, { projection }).toArray(),
      ) as unknown as Promise<T[]>,
  };
}
