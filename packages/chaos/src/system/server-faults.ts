import { jobsStream } from '@joblisting/contracts';
import { serviceNames } from '@joblisting/testing/system';
import type { Cluster } from './cluster.ts';
import { type Fleet, persistently } from '@joblisting/testing/system';
import type { Server } from './servers.ts';

/** A fault that begins at one moment and ends at another. */
export interface Fault {
  readonly begin: () => Promise<void>;
  /** Starts again or lets go on what was away, and waits until all is whole. */
  readonly end: () => Promise<void>;
}

/** A kind of fault; its target is found each time. */
export interface FaultKind {
  readonly name: string;
  readonly aim: () => Promise<Fault>;
}

type Way = readonly ['kill', 'restart'] | readonly ['pause', 'resume'];

/** The servers that matter most, at the moment that they are asked for: a stream's leader and the primary. */
const serverFaults = ({ mongod, nats }: Cluster, name: string, way: Way): readonly FaultKind[] => [
  serverFault(`${name} of the stream leader`, way, () => nats.leaderOf(jobsStream.name), nats.whole),
  serverFault(`${name} of the primary`, way, mongod.primary, mongod.whole),
];

const serverFault = (
  name: string,
  [begin, end]: Way,
  find: () => Promise<Server>,
  whole: () => Promise<void>,
): FaultKind => ({
  name,
  aim: async () => {
    const server = await find();
    return {
      begin: async () => server[begin](),
      end: async () => {
        await server[end]();
        await whole();
      },
    };
  },
});

/** `kill -9` of the server that leads the stream of jobs, of the primary, and of one process of each service. */
export function kills(cluster: Cluster, fleet: Fleet): readonly FaultKind[] {
  let turn = 0;
  return [
    ...serverFaults(cluster, 'kill -9', ['kill', 'restart']),
    {
      name: 'kill -9 of half the replicas',
      aim: async () => {
        const index = turn++ % 2;
        const half = serviceNames.flatMap((name) => fleet.replicas(name)[index] ?? []);
        return {
          begin: async () => half.forEach((service) => service.kill('SIGKILL')),
          end: async () => {
            await Promise.all(half.map(({ restart }) => persistently(restart)));
          },
        };
      },
    },
  ];
}

/** SIGSTOP of the same servers: their connections stay open, and nothing answers. */
export const freezes = (cluster: Cluster): readonly FaultKind[] =>
  serverFaults(cluster, 'freeze', ['pause', 'resume']);
