import { jobsStream } from '@joblisting/contracts';
import { serviceNames } from '@joblisting/e2e/harness';
import type { Cluster } from './cluster.ts';
import { type Fleet, persistently } from './fleet.ts';

/** A fault that begins at one moment and ends at another. */
export interface Fault {
  readonly begin: () => Promise<void>;
  /** Starts again or lets go on what was away, and waits until all is whole. */
  readonly end: () => Promise<void>;
}

/** A kind of fault; whom it hits is found out each time. */
export interface Blow {
  readonly name: string;
  readonly aim: () => Promise<Fault>;
}

/** `kill -9` of the server that leads the stream of jobs, of the primary, and of one process of each service. */
export function kills({ mongod, nats }: Cluster, fleet: Fleet): readonly Blow[] {
  let turn = 0;
  return [
    {
      name: 'kill -9 of the stream leader',
      aim: async () => {
        const node = await nats.leaderOf(jobsStream.name);
        return { begin: node.kill, end: () => node.restart().then(nats.whole) };
      },
    },
    {
      name: 'kill -9 of the primary',
      aim: async () => {
        const member = await mongod.primary();
        return { begin: member.kill, end: () => member.restart().then(mongod.whole) };
      },
    },
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
export const freezes = ({ mongod, nats }: Cluster): readonly Blow[] => [
  {
    name: 'freeze of the stream leader',
    aim: async () => {
      const node = await nats.leaderOf(jobsStream.name);
      return { begin: node.pause, end: () => node.resume().then(nats.whole) };
    },
  },
  {
    name: 'freeze of the primary',
    aim: async () => {
      const member = await mongod.primary();
      return {
        begin: async () => member.pause(),
        end: async () => {
          member.resume();
          await mongod.whole();
        },
      };
    },
  },
];
