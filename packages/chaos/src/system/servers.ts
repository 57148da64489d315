import { databasePrefix, startMongod, startNats, type TestMongod, type TestNats } from '@joblisting/testing';

/** What can be killed, frozen and started again. */
export interface Server {
  readonly kill: () => Promise<void>;
  readonly pause: () => void | Promise<void>;
  readonly resume: () => void | Promise<void>;
  readonly restart: () => Promise<void>;
}

/** A MongoDB and a NATS that one experiment has to itself. */
export interface Servers {
  readonly mongod: TestMongod;
  readonly nats: TestNats;
  readonly databasePrefix: string;
  readonly stop: () => Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const [mongod, nats] = await Promise.all([startMongod(), startNats()]);
  return {
    mongod,
    nats,
    databasePrefix: databasePrefix(),
    stop: async () => {
      await Promise.all([mongod.stop(), nats.stop()]);
    },
  };
}
