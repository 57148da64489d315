import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Keys } from '@joblisting/testing/system';
import { type Connection, type Hit, openConnection } from '@joblisting/testing/system';

/** A request of the load, ready to be sent. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

const GIVE_UP_MS = 10_000;
const LOOK_EVERY_MS = 500;
/** A request more finds no free connection and waits for one, which counts as a part of its time. */
const MOST_CONNECTIONS = 2000;

/** Sends keyed requests over as many connections as it takes. */
export function gun(origin: string, keys: Keys) {
  const { hostname, port, host } = new URL(origin);
  const head = [
    `Host: ${host}`,
    `Consumer-API-Key: ${keys.consumer ?? ''}`,
    `User-API-Key: ${keys.user ?? ''}`,
    'Content-Type: application/json',
  ].join('\r\n');
  const all = new Set<Connection>();
  const free: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];

  const openOne = (): Connection => {
    const connection = openConnection(hostname, Number(port));
    all.add(connection);
    return connection;
  };
  const takeOne = async (): Promise<Connection> => {
    const idle = free.pop();
    if (idle) return idle;
    return all.size < MOST_CONNECTIONS
      ? openOne()
      : new Promise((resolve) => {
          waiting.push(resolve);
        });
  };
  const giveBack = (connection: Connection): void => {
    if (!connection.isOpen()) all.delete(connection);
    const next = waiting.shift();
    if (next) next(connection.isOpen() ? connection : openOne());
    else if (connection.isOpen()) free.push(connection);
  };
  const look = setInterval(() => {
    for (const connection of all) connection.closeIfWaitingSince(performance.now() - GIVE_UP_MS);
  }, LOOK_EVERY_MS);

  const fire = async ({ method, path, body = '' }: Shot): Promise<Hit> => {
    const since = performance.now();
    const connection = await takeOne();
    const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    const hit = await connection.send(`${method} ${path} HTTP/1.1\r\n${head}\r\n${length}\r\n${body}`);
    giveBack(connection);
    return { ...hit, ms: performance.now() - since };
  };

  return {
    /** Opens connections beforehand, by a request each. */
    connect: async (count: number, shot: Shot): Promise<void> => {
      await Promise.all(Array.from({ length: count }, () => fire(shot)));
    },
    /** Each of `atOnce` sends the next when its last is answered: what the system can do. */
    closedLoop: async (atOnce: number, ms: number, next: () => Shot): Promise<Hit[]> => {
      const hits: Hit[] = [];
      const endAt = performance.now() + ms;
      const worker = async (): Promise<void> => {
        while (performance.now() < endAt) hits.push(await fire(next()));
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      return hits;
    },
    /** Sends at a rate that no answer slows down. */
    openLoop: async (perSecond: number, ms: number, next: () => Shot): Promise<Hit[]> => {
      const hits: Promise<Hit>[] = [];
      const since = performance.now();
      for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - since) {
        const due = Math.floor((elapsed / 1000) * perSecond);
        while (hits.length < due) hits.push(fire(next()));
        await delay(5);
      }
      return Promise.all(hits);
    },
    close: (): void => {
      clearInterval(look);
      for (const connection of all) connection.close();
    },
  };
}
