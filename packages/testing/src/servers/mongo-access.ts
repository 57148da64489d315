import type { mongo } from 'mongoose';

/** What a test may do to a database besides what services do. */
export type MongoAccess = {
  /** Lets `work` do to a database what no service does. */
  withDatabase: <T>(name: string, work: (database: mongo.Db) => Promise<T>) => Promise<T>;
  /** Everything of a collection, as it is stored. */
  read: <T extends object>(database: string, collection: string, projection?: object) => Promise<T[]>;
};

type WithClient = <T>(work: (client: mongo.MongoClient) => Promise<T>) => Promise<T>;

/** Connects anew each time: servers are killed in between. */
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
