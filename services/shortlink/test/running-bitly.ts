import { expect } from '@jest/globals';
import type { Log } from '@joblisting/service-kit';
import { type BitlyServer, startBitlyServer, type TestClock, testClock } from '@joblisting/testing';
import { type RunningShortlink, runShortlink } from './running-shortlink.ts';

export interface WithBitly {
  readonly shortlink: RunningShortlink;
  readonly bitly: BitlyServer;
  readonly clock: TestClock;
  /** How many calls bitly has got of each kind. */
  readonly calls: () => { made: number; removed: number };
  readonly stop: () => Promise<void>;
}

/** The service with a bitly of its own, at noon of 1 March 2026. */
export async function runWithBitly(settings: Record<string, string> = {}, log?: Log): Promise<WithBitly> {
  const bitly = await startBitlyServer();
  const clock = testClock('2026-03-01T12:00:00Z');
  const env = {
    SHORTLINK_PROVIDER: 'bitly',
    BITLY_URL: bitly.url,
    BITLY_TOKEN: bitly.token,
    BITLY_BREAK_MS: '100',
    ...settings,
  };
  const shortlink = await runShortlink({ env, clock, ...(log && { log }) });
  const count = (method: string) => bitly.calls.filter((call) => call.method === method).length;
  return {
    shortlink,
    bitly,
    clock,
    calls: () => ({ made: count('POST'), removed: count('DELETE') }),
    stop: async () => {
      await shortlink.stop();
      await bitly.stop();
    },
  };
}

export const fallback = (jobId: number) => ({
  url: `https://search.example.com/Share/Job${jobId}`,
  final: false,
});

export const bitlink = () => ({
  url: expect.stringMatching(/^https:\/\/bit\.ly\/[0-9a-z]+$/),
  final: true,
});

/** What bitly answers where it does not do what it is asked for. */
export const refusal = (status: number, message: string) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message, resource: 'bitlinks', description: 'No.' }),
});
