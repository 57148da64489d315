import type { CallContext, RawReply } from '@joblisting/bus';
import { createJob, type Job } from '@joblisting/contracts';
import { expect } from '@jest/globals';
import { referencesOf } from './peers.ts';
import { caller, runJobs } from './running-jobs.ts';

/** The fields of a stored job or tombstone that tests read. */
interface Stored {
  readonly _id: number;
  readonly title: string;
  readonly idempotency?: { readonly version?: number };
}

export type KeyedJobs = Awaited<ReturnType<typeof runKeyedJobs>>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of a request. */
export const encode = (body: unknown) => encoder.encode(JSON.stringify(body));
const textOf = ({ data }: RawReply) => decoder.decode(data);
export const jobOf = (reply: RawReply): Job => JSON.parse(textOf(reply)) as Job;
export const idOf = ({ id }: RawReply): number => id ?? 0;

let keys = 0;
export const newKey = () => `key-${++keys}`;

/** Expects that an answer has the same bytes as the first one and is marked as a replay. */
export function expectReplayed(answer: RawReply, first: RawReply): void {
  expect(textOf(answer) === textOf(first)).toBe(true);
  expect({ ...answer, data: undefined }).toEqual({ ...first, data: undefined, replayed: true });
}

/** Two replicas of the service, and requests with an Idempotency-Key. */
export async function runKeyedJobs() {
  const jobs = await runJobs();
  await jobs.addReplica();
  const stored = jobs.mongo.collection<Stored>('jobs');
  const buried = jobs.mongo.collection<Stored>('tombstones');
  const send = (key: string, body: unknown, context: CallContext = caller()): Promise<RawReply> =>
    jobs.bus.forward(createJob, {}, encode(body), { ...context, idempotencyKey: key });

  return {
    ...jobs,
    stored,
    buried,
    send,
    idsOf: async (title: string) => (await stored.find({ title }).toArray()).map(({ _id }) => _id),
    expectReplay: async (first: RawReply, key: string, body: unknown): Promise<void> =>
      expectReplayed(await send(key, body), first),

    /** The jobs that other services store data of, although they neither exist nor wait for clean-up. */
    strays: async (): Promise<number[]> => {
      const known = [stored.find(), buried.find({ cleaning: true })].map((found) => found.toArray());
      const ids = new Set((await Promise.all(known)).flat().map(({ _id }) => _id));
      const { links, references } = jobs.peers;
      return [...links, ...references.keys()].filter(
        (id) => !ids.has(id) && (links.has(id) || referencesOf(jobs.peers, id).length > 0),
      );
    },
  };
}
