import type { Bus, CallContext } from '@joblisting/bus';
import { createLink, removeLinks } from '@joblisting/contracts';
import { type Log, withDeadline } from '@joblisting/service-kit';
import type { Link } from '../domain/job.ts';

export type LinksClient = ReturnType<typeof linksClient>;

/** A new job waits no longer than this for its short link (API decisions, "Short links": at most 500). */
const CREATE_LIMIT_MS = 400;

/** The requests of this service to `shortlink`. @param searchUrl the public job-search address */
export function linksClient(bus: Bus, searchUrl: string, log: Log) {
  const base = searchUrl.replace(/\/+$/, '');
  let isWorking = true;

  /** Logs each change between working and failing short links. */
  const report = (works: boolean, err?: unknown): void => {
    if (works === isWorking) return;
    isWorking = works;
    if (works) log.info({}, 'short links are made again');
    else log.warn({ err }, 'no short links now; they will be asked for again');
  };

  /** The short link; undefined if `shortlink` has none now. Never rejects. */
  const shorten = async (jobId: number, context: CallContext): Promise<string | undefined> => {
    try {
      const { data } = await bus.request(createLink, { body: { jobId }, context });
      report(true);
      return data.final ? data.url : undefined;
    } catch (error) {
      report(false, error);
      return undefined;
    }
  };

  const fallback = (jobId: number): Link => ({ url: `${base}/Share/Job${jobId}`, linkPending: true });

  return {
    shorten,
    fallback,

    /** The short link of a new job, or the fallback address if it does not come in time. Never rejects. */
    createLink: async (jobId: number, context: CallContext): Promise<Link> => {
      const url = await shorten(jobId, withDeadline(context, CREATE_LIMIT_MS));
      return url === undefined ? fallback(jobId) : { url, linkPending: false };
    },

    /** Removes the links of deleted jobs. */
    removeLinks: async (jobIds: readonly number[], context: CallContext): Promise<void> => {
      await bus.request(removeLinks, { body: { jobIds }, context });
    },
  };
}
