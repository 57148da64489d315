import { jobsStream } from '@joblisting/contracts';
import { type Fleet, persistently, serviceNames } from '@joblisting/testing/system';
import type { Cluster } from './cluster.ts';
import type { Server } from './servers.ts';

export interface Fault {
  readonly begin: () => Promise<void>;
  /** Restarts or resumes the target, and waits until the cluster is healthy. */
  readonly end: () => Promise<void>;
}

/** A kind of fault. `aim` picks its target each time. */
export interface FaultKind {
  readonly name: string;
  readonly aim: () => Promise<Fault>;
}

type Action = readonly ['kill', 'restart'] | readonly ['pause', 'resume'];

/** Faults of the present leader of the stream of jobs and of the present primary. */
const serverFaults = ({ mongod, nats }: Cluster, name: string, action: Action): readonly FaultKind[] => [
  serverFault(
    `${name} of the stream leader`,
    action,
    () => nats.leaderOf(jobsStream.name),
    nats.untilHealthy,
  ),
  serverFault(`${name} of the primary`, action, mongod.primary, mongod.untilHealthy),
];

const serverFault = (
  name: string,
  [begin, end]: Action,
  find: () => Promise<Server>,
  untilHealthy: () => Promise<void>,
): FaultKind => ({
  name,
  aim: async () => {
    const server = await find();
    return {
      begin: async () => server[begin](),
      end: async () => {
        await server[end]();
        await untilHealthy();
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

/** SIGSTOP of the same servers: their connections stay open and get no answer. */
export const freezes = (cluster: Cluster): readonly FaultKind[] =>
  serverFaults(cluster, 'freeze', ['pause', 'resume']);
