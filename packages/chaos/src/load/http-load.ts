import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Connection,
  type TimedAnswer,
  type Keys,
  openConnection,
  requestsTo,
} from '@joblisting/testing/system';

export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

const ANSWER_LIMIT_MS = 10_000;
const CHECK_EVERY_MS = 500;
/** More requests wait for a free connection, which counts as part of their time. */
const MAX_CONNECTIONS = 1400;

/** Sends requests over as many connections as needed, with the consumers' keys in rotation. */
export function openLoad(origin: string, consumers: readonly Keys[]) {
  const { hostname, port } = new URL(origin);
  const writers = consumers.map((keys) => requestsTo(origin, keys).write);
  let sent = 0;
  const all = new Set<Connection>();
  const free: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];

  const openOne = (): Connection => {
    const connection = openConnection(hostname, Number(port));
    all.add(connection);
    return connection;
  };
  const acquire = async (): Promise<Connection> => {
    const idle = free.pop();
    if (idle) return idle;
    return all.size < MAX_CONNECTIONS
      ? openOne()
      : new Promise((resolve) => {
          waiting.push(resolve);
        });
  };
  const release = (connection: Connection): void => {
    if (!connection.isOpen()) all.delete(connection);
    const next = waiting.shift();
    if (next) next(connection.isOpen() ? connection : openOne());
    else if (connection.isOpen()) free.push(connection);
  };
  const check = setInterval(() => {
    for (const connection of all) connection.closeIfWaitingSince(performance.now() - ANSWER_LIMIT_MS);
  }, CHECK_EVERY_MS);

  const send = async ({ method, path, body }: LoadRequest): Promise<TimedAnswer> => {
    const since = performance.now();
    const connection = await acquire();
    const write = writers[sent++ % writers.length] as (typeof writers)[number];
    const answer = await connection.send(write(method, path, body));
    release(connection);
    return { ...answer, ms: performance.now() - since };
  };

  return {
    /** Opens connections by sending a request on each. */
    connect: async (count: number, request: LoadRequest): Promise<void> => {
      await Promise.all(Array.from({ length: count }, () => send(request)));
    },
    /** Each of `atOnce` clients sends its next request after the last answer. */
    closedLoop: async (atOnce: number, ms: number, next: () => LoadRequest): Promise<TimedAnswer[]> => {
      const answers: TimedAnswer[] = [];
      const endAt = performance.now() + ms;
      const worker = async (): Promise<void> => {
        while (performance.now() < endAt) answers.push(await send(next()));
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      return answers;
    },
    /** Sends at a fixed rate, independent of the answers. */
    openLoop: async (perSecond: number, ms: number, next: () => LoadRequest): Promise<TimedAnswer[]> => {
      const answers: Promise<TimedAnswer>[] = [];
      const since = performance.now();
      for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - since) {
        const due = Math.floor((elapsed / 1000) * perSecond);
        while (answers.length < due) answers.push(send(next()));
        await delay(5);
      }
      return Promise.all(answers);
    },
    close: (): void => {
      clearInterval(check);
      for (const connection of all) connection.close();
    },
  };
}
