import { Agent, request } from 'node:http';
import { platform } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { jobBody } from '@joblisting/testing/system';
import type { World } from '../system/world.ts';
import { createJob } from './jobs.ts';

export interface OtherSample {
  readonly ms: number;
  /** Undefined for a 2xx. */
  readonly failure?: string | undefined;
}

const PER_SECOND = 20;
const ANSWER_LIMIT_MS = 10_000;
/** An address that is not the attacker's, for limits by address. Linux has all of 127.0.0.0/8. */
const localAddress = platform() === 'linux' ? '127.0.0.2' : '127.0.0.1';
/** One in this many requests opens a connection; the others reuse open ones. */
const NEW_CONNECTION = 5;

/** A well-behaved client of another company: a fixed rate of reads and writes. It repeats nothing. */
export async function createOtherClient(origin: string, world: World) {
  const agent = new Agent({ keepAlive: true });
  const { consumer, user } = world.keys;
  const headers = { 'Consumer-API-Key': consumer, 'User-API-Key': user, 'Content-Type': 'application/json' };
  const path = `/jobs/${await createJob(world)}`;
  const mix: readonly ((turn: number) => readonly [string, string, object?])[] = [
    () => ['GET', path],
    () => ['GET', `/jobs?company.id=${world.companyId}&pageSize=20`],
    () => ['POST', '/jobs', jobBody(world.companyId)],
    (turn) => ['PUT', path, { title: `Title ${turn}` }],
  ];

  const send = async (turn: number): Promise<OtherSample> => {
    const [method, target, body] = mix[turn % mix.length]?.(turn) ?? [];
    const since = performance.now();
    const failure = await new Promise<string | undefined>((resolve) => {
      const fail = ({ name, code = name }: Error & { code?: string }): void => resolve(code);
      request(`${origin}/v1.0${target}`, {
        method,
        headers,
        localAddress,
        agent: turn % NEW_CONNECTION === 0 ? false : agent,
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      })
        .on('error', fail)
        .on('response', (answer) => {
          const { statusCode: status = 0 } = answer;
          const reason = (json: string): string => `${status} ${/"reason":"(\w+)"/.exec(json)?.[1]}`;
          text(answer).then((json) => resolve(status < 300 ? undefined : reason(json)), fail);
        })
        .end(body && JSON.stringify(body));
    });
    return { ms: performance.now() - since, failure };
  };

  return {
    /** Sends for so long, and resolves when all answers are here. */
    run: async (ms: number): Promise<OtherSample[]> => {
      const samples: Promise<OtherSample>[] = [];
      const since = performance.now();
      for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - since) {
        while (samples.length < (elapsed / 1000) * PER_SECOND) samples.push(send(samples.length));
        await delay(5);
      }
      return Promise.all(samples);
    },
    close: () => agent.destroy(),
  };
}
