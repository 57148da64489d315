import { createLink, removeLinks, resolveLink } from '@joblisting/contracts';
import { type Log, ownCall } from '@joblisting/service-kit';
import { startBitlyServer, testClock } from '@joblisting/testing';
import { runService } from '@joblisting/testing/system';
import { linkModel } from '../src/models/link.ts';
import { shortlinkServiceAt } from '../src/service.ts';

export interface ShortlinkOptions {
  readonly env?: Record<string, string>;
  readonly log?: Log;
  readonly breakMs?: number;
}

export type RunningShortlink = Awaited<ReturnType<typeof runShortlink>>;
export type RunningWithBitly = Awaited<ReturnType<typeof runWithBitly>>;

/** The service at noon of 1 March 2026. */
export async function runShortlink({ env = {}, log, breakMs = 100 }: ShortlinkOptions = {}) {
  const running = await runService(shortlinkServiceAt({ sweepEveryMs: 50, removeEveryMs: 50, breakMs }), {
    clock: testClock('2026-03-01T12:00:00Z'),
    env: { PUBLIC_URL: 'https://jobs.example.com', ...env },
    ...(log && { log }),
  });
  const { bus, mongo } = running;
  const createOne = async (jobId: number, limitMs = 15_000) =>
    (await bus.request(createLink, { body: { jobId }, context: ownCall(limitMs) })).data;
  return {
    ...running,
    createLink: createOne,
    /** Requests the links of the jobs 1 to `count`, one after another. */
    createLinks: async (count: number) => {
      const links = [];
      for (let jobId = 1; jobId <= count; jobId++) links.push(await createOne(jobId));
      return links;
    },
    removeLinks: async (...jobIds: number[]) =>
      (await bus.request(removeLinks, { body: { jobIds }, context: ownCall(15_000) })).data.removed,
    resolve: async (code: string) =>
      (await bus.request(resolveLink, { params: { code }, context: ownCall(15_000) })).data.location,
    stored: (jobId: number) => linkModel(mongo).findOne({ jobId }).lean(),
  };
}

/** The service with a stand-in of bitly. */
export async function runWithBitly(settings: Record<string, string> = {}, options: ShortlinkOptions = {}) {
  const bitly = await startBitlyServer();
  const env = {
    SHORTLINK_PROVIDER: 'bitly',
    BITLY_URL: bitly.url,
    BITLY_TOKEN: bitly.token,
    ...settings,
  };
  const shortlink = await runShortlink({ env, ...options });
  const count = (method: string) => bitly.calls.filter((call) => call.method === method).length;
  return {
    ...shortlink,
    bitly,
    /** How many links bitly was asked to make and to remove. */
    calls: () => ({ made: count('POST'), removed: count('DELETE') }),
    stop: async () => {
      await shortlink.stop();
      await bitly.stop();
    },
  };
}

/** The answer for a job that has no short link yet. */
export const fallback = (jobId: number) => ({
  url: `https://search.example.com/Share/Job${jobId}`,
  final: false,
});

/** An error answer of bitly. */
export const refusal = (status: number, message: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ message, resource: 'bitlinks', description: 'No.' }),
});

/** The wait after a failed call, which may have made the link. */
export const AFTER_FAILURE_MS = 5000;
