import { type Answer, jobBody } from '@joblisting/testing/system';
import type { MetricsEvent } from '@joblisting/contracts';
import type { Random } from '../random.ts';
import type { World } from '../system/world.ts';
import { sendKeyed } from './creation.ts';
import { reasonOf, untilDecided } from './decided.ts';
import { makeEvent } from './events.ts';
import type { Sample } from './outage.ts';

/** Requests per second. */
const PER_SECOND = { reads: 4, writes: 2 };

/** The promised failures. */
const PROMISED = new Set(['503 unavailable', '504 deadline_exceeded']);

/** A write that can be repeated. */
interface Write {
  readonly send: () => Promise<Answer>;
  readonly isDone: (answer: Answer) => boolean;
}

/**
 * Sends requests at a fixed rate, independent of the answers, which shows how long they fail. A failed write is
 * repeated in the background with the same key or event ids until its answer is final.
 */
export function steadyLoad({ api, metrics, companyId }: World, jobIds: readonly number[], random: Random) {
  const samples = { reads: [] as Sample[], writes: [] as Sample[] };
  const made = new Map<string, number>();
  const events: MetricsEvent[] = [];
  const odd: string[] = [];
  const running = new Set<Promise<void>>();
  let counter = 0;

  const measured = async (
    kind: keyof typeof samples,
    send: () => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    const sentAt = performance.now();
    let answer: Answer | undefined;
    let failure: string | undefined;
    try {
      answer = await send();
      if (answer.status >= 400) failure = `${answer.status} ${String(answer.json?.code)}`;
      if (failure !== undefined && !PROMISED.has(failure)) odd.push(failure);
    } catch (error) {
      failure = reasonOf(error);
    }
    samples[kind].push({ sentAt, endedAt: performance.now(), failure });
    return failure === undefined ? answer : undefined;
  };

  const read = async (turn: number): Promise<void> => {
    const path =
      turn % 2 === 0 ? `/jobs/${random.pick(jobIds)}` : `/jobs?company.id=${companyId}&pageSize=20`;
    await measured('reads', () => api.get(path));
  };

  const creation = (title: string): Write => {
    const key = crypto.randomUUID();
    return {
      send: () => sendKeyed(api, jobBody(companyId, { title }), key),
      isDone: ({ status, json }) => {
        if (status === 201) made.set(title, Number(json.data.id));
        return status === 201;
      },
    };
  };

  const report = (): Write => {
    const event = makeEvent(random, crypto.randomUUID(), jobIds);
    events.push(event);
    return {
      send: () => metrics.post('/metrics/events', { events: [event] }),
      isDone: ({ status }) => status === 200,
    };
  };

  const write = async (turn: number): Promise<void> => {
    const { send, isDone } = turn % 2 === 0 ? creation(`steady-${counter++}`) : report();
    const first = await measured('writes', send);
    const answer = first ?? (await untilDecided(send, { onOdd: (what) => odd.push(what) })).answer;
    if (!isDone(answer)) odd.push(`${answer.status} ${answer.text.slice(0, 200)}`);
  };

  const track = (work: Promise<void>): void => {
    const tracked = work
      .catch((error: unknown) => void odd.push(String(error)))
      .finally(() => running.delete(tracked));
    running.add(tracked);
  };
  const pace = (perSecond: number, one: (turn: number) => Promise<void>): NodeJS.Timeout => {
    let turn = 0;
    return setInterval(() => track(one(turn++)), 1000 / perSecond);
  };
  const timers = [pace(PER_SECOND.reads, read), pace(PER_SECOND.writes, write)];

  return {
    ...samples,
    /** The id of each created job, by title. */
    made,
    /** Every event; all are acknowledged after `stop`. */
    events,
    /** Answers that the API does not promise. */
    odd,
    /** Stops sending, and waits for the final answer of every write. */
    stop: async (): Promise<void> => {
      for (const timer of timers) clearInterval(timer);
      while (running.size > 0) await Promise.all(running);
    },
  };
}
