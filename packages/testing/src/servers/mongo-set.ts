import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import { mongoAccess, type MongoAccess } from './mongo-access.ts';
import { launchMongod, type TestMongo } from './mongod-process.ts';

/** One server of a replica set. */
export type MongoMember = Pick<MongoAccess, 'read'> & {
  readonly name: string;
  /** `kill -9`; the data stays for `restart`. */
  kill: () => Promise<void>;
  /** Freezes the server: connections stay open and get no answer. */
  pause: () => void;
  resume: () => void;
  /** Kills it if it runs, and starts it on the same port and data. `untilHealthy` waits until it has caught up. */
  restart: () => Promise<void>;
};

/** A MongoDB replica set of three servers on this machine. */
export type MongoSet = TestMongo &
  MongoAccess & {
    readonly members: readonly MongoMember[];
    /** Waits for an election and resolves to the primary. */
    primary: () => Promise<MongoMember>;
    /** Waits until one member is primary and the others are secondaries. */
    untilHealthy: () => Promise<void>;
  };

interface MemberStatus {
  readonly name: string;
  readonly stateStr: string;
}

const SIZE = 3;
const CACHE_GIGABYTES = 0.25;
const PATIENCE = { limitMs: 60_000, everyMs: 100 };

/** `settings` in MongoDB's replica set configuration. */
export interface ReplicaSetSettings {
  /** How long a primary may be silent before an election. */
  readonly electionTimeoutMillis: number;
  /** How long a member waits for another member's answer. */
  readonly heartbeatTimeoutSecs: number;
}

/** Runs three local mongod processes. */
export async function startMongoSet(settings: ReplicaSetSettings): Promise<MongoSet> {
  const directory = await mkdtemp(join(tmpdir(), 'mongo-set-'));
  const ports = await Promise.all(Array.from({ length: SIZE }, freePort));
  const members = await Promise.all(ports.map((port) => startMember(join(directory, String(port)), port)));
  const uri = `mongodb://${members.map(({ name }) => name).join(',')}/?replicaSet=rs0`;
  const { withClient, ...access } = mongoAccess(uri);
  const admin = (command: object): Promise<Record<string, unknown>> =>
    withClient((client) => client.db('admin').command(command));

  const primary = (): Promise<MongoMember> =>
    waitFor(
      async () => {
        const { me } = await admin({ hello: 1 });
        return members.find(({ name }) => name === me);
      },
      { ...PATIENCE, what: 'a primary' },
    );
  const isHealthy = async (): Promise<boolean> => {
    const states = (await admin({ replSetGetStatus: 1 }))['members'] as readonly MemberStatus[];
    return states.every(({ stateStr }) => stateStr === 'PRIMARY' || stateStr === 'SECONDARY');
  };
  const untilHealthy = async (): Promise<void> => {
    await waitFor(isHealthy, { ...PATIENCE, what: 'the replica set to be healthy' });
  };
  const stop = async (): Promise<void> => {
    await Promise.all(members.map(({ kill }) => kill()));
    await rm(directory, { recursive: true, force: true });
  };

  try {
    const config = {
      _id: 'rs0',
      members: members.map(({ name: host }, _id) => ({ _id, host })),
      settings,
    };
    await waitFor(() => members[0]?.initiate(config), { ...PATIENCE, what: 'mongod to accept its members' });
    await primary();
    await untilHealthy();
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...access, uri, members, primary, untilHealthy, stop };
}

async function startMember(directory: string, port: number) {
  await mkdir(directory);
  const name = `127.0.0.1:${port}`;
  const launch = () => launchMongod(directory, port, CACHE_GIGABYTES);
  const { withClient, read } = mongoAccess(`mongodb://${name}/?directConnection=true`);
  let running = launch();
  const kill = () => running.kill();
  return {
    name,
    read,
    kill,
    pause: () => running.pause(),
    resume: () => running.resume(),
    restart: async () => {
      await kill();
      running = launch();
    },
    /** Creates the replica set, with this as its first member. */
    initiate: async (config: object): Promise<boolean> => {
      await withClient((client) => client.db('admin').command({ replSetInitiate: config }));
      return true;
    },
  };
}
