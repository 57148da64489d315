import type { Bus, CallContext } from '@joblisting/bus';
import { createLink, createLinks, removeLinks, ServiceError } from '@joblisting/contracts';
import { inGroups, type Log } from '@joblisting/service-kit';
import type { Link } from '../domain/job.ts';
import { within } from './within.ts';

export type LinksPeer = ReturnType<typeof linksPeer>;

/** A new job waits no longer than this for its short link (API decisions, "Short links"). */
const CREATE_LIMIT_MS = 400;

/** New jobs do not wait for the links of others, where those take as long as a call to a provider. */
const GROUP_LIMIT_MS = 10;

/** A new job that waits for its link. */
interface Waiting {
  readonly jobId: number;
  readonly context: CallContext;
  readonly resolve: (url: string | undefined) => void;
}

/** What this service asks of `shortlink`. @param searchUrl the public job-search address */
export function linksPeer(bus: Bus, searchUrl: string, log: Log) {
  const base = searchUrl.replace(/\/+$/, '');

  let isWorking = true;

  /** Says that it has changed, once for all jobs. */
  const note = (works: boolean, err?: unknown): void => {
    if (works === isWorking) return;
    isWorking = works;
    if (works) log.info({}, 'short links are made again');
    else log.warn({ err }, 'no short links now; they will be asked for again');
  };

  const shorten = async (jobId: number, context: CallContext): Promise<string | undefined> => {
    try {
      const { data } = await bus.request(createLink, { body: { jobId }, context });
      note(true);
      return data.final ? data.url : undefined;
    } catch (error) {
      note(false, error);
      return undefined;
    }
  };

  const shortenMany = async (some: readonly Waiting[]): Promise<ReadonlyMap<number, string>> => {
    const body = { jobIds: some.map(({ jobId }) => jobId) };
    const { data } = await bus.request(createLinks, { body, context: contextOfAll(some) });
    note(true);
    return new Map(data.links.filter(({ final }) => final).map(({ jobId, url }) => [jobId, url]));
  };

  const shortenEach = async (some: readonly Waiting[]): Promise<void> => {
    await Promise.all(
      some.map(async ({ jobId, context, resolve }) => resolve(await shorten(jobId, context))),
    );
  };

  /** Worth: a new job out of 16 at once costs `shortlink` a quarter of one by itself. */
  const shortenGroup = async (some: readonly Waiting[]): Promise<void> => {
    if (some.length === 1) return shortenEach(some);
    try {
      const urls = await shortenMany(some);
      for (const { jobId, resolve } of some) resolve(urls.get(jobId));
    } catch (error) {
      // Nobody serves it: `shortlink` is away, or of 1.0.0, which makes one link at a time.
      if (error instanceof ServiceError && error.code === 'unavailable') return shortenEach(some);
      note(false, error);
      for (const { resolve } of some) resolve(undefined);
    }
  };
  const add = inGroups(shortenGroup, { stuckMs: GROUP_LIMIT_MS });

  return {
    /** The short link; undefined where there is none to be had now. Never rejects. */
    shorten,

    /** The short link, or the fallback address where there is none in time. Never rejects. */
    create: async (jobId: number, context: CallContext): Promise<Link> => {
      const limited = within(CREATE_LIMIT_MS, context);
      const url = await new Promise<string | undefined>((resolve) =>
        add({ jobId, context: limited, resolve }),
      );
      return url === undefined
        ? { url: `${base}/Share/Job${jobId}`, linkPending: true }
        : { url, linkPending: false };
    },

    /** Removes the links of jobs that are gone. */
    remove: async (jobIds: readonly number[], context: CallContext): Promise<void> => {
      await bus.request(removeLinks, { body: { jobIds }, context });
    },
  };
}

/** One request for several: in the logs it has the ids of all of them. Nobody goes without for having come first. */
const contextOfAll = (some: readonly Waiting[]): CallContext => ({
  ...some[0]?.context,
  requestId: some.map(({ context }) => context.requestId).join(','),
  deadline: Math.max(...some.map(({ context }) => context.deadline)),
  principal: undefined,
});
