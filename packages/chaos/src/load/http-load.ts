import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Keys } from '@joblisting/e2e/harness';

/** A request of the load, ready to be sent. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

export interface Hit {
  /** 0 where no answer came. */
  readonly status: number;
  readonly ms: number;
  readonly hasRetryAfter: boolean;
}

const GIVE_UP_MS = 10_000;

/** Sends by plain HTTP, which costs the load's side least: it shares the machine with what it measures. */
export function gun(origin: string, keys: Keys) {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: 2000, scheduling: 'fifo' });
  const headers = {
    'Consumer-API-Key': keys.consumer ?? '',
    'User-API-Key': keys.user ?? '',
    'Content-Type': 'application/json',
  };
  const fire = ({ method, path, body }: Shot): Promise<Hit> =>
    new Promise((resolve) => {
      const since = performance.now();
      const end = (status: number, hasRetryAfter: boolean): void =>
        resolve({ status, ms: performance.now() - since, hasRetryAfter });
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const options = {
        agent,
        hostname,
        port,
        method,
        path,
        timeout: GIVE_UP_MS,
        headers: { ...headers, ...length },
      };
      const call = request(options, (answer) => {
        answer
          .resume()
          .once('end', () => end(answer.statusCode ?? 0, answer.headers['retry-after'] !== undefined));
        answer.once('error', () => end(0, false));
      });
      call.once('timeout', () => call.destroy());
      call.once('error', () => end(0, false));
      call.end(body);
    });

  return {
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
    close: (): void => agent.destroy(),
  };
}
