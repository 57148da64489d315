import type { Bus, CallContext } from '@joblisting/bus';
import { createLink, createLinks, createLinksAhead, removeLinks } from '@joblisting/contracts';
import { type Log, ownCall } from '@joblisting/service-kit';
import type { Link, NewId } from '../domain/job.ts';
import { askedTogether } from './asked-together.ts';
import { within } from './within.ts';

export type LinksPeer = ReturnType<typeof linksPeer>;

/** A new job waits no longer than this for its short link (API decisions, "Short links"). */
const CREATE_LIMIT_MS = 400;
/** Nobody waits for a link that is made ahead. */
const AHEAD_LIMIT_MS = 1000;

/** What this service asks of `shortlink`. @param searchUrl the public job-search address */
export function linksPeer(bus: Bus, searchUrl: string, log: Log) {
  const base = searchUrl.replace(/\/+$/, '');

  const note = changes(log, 'short links are made again', 'no short links now; they will be asked for again');
  const noteAhead = changes(
    log,
    'short links are made ahead again',
    'no short links are made ahead now; new jobs ask for theirs',
  );

  const one = async (jobId: number, context: CallContext): Promise<string | undefined> => {
    const { data } = await bus.request(createLink, { body: { jobId }, context });
    return data.final ? data.url : undefined;
  };

  const many = async (jobIds: readonly number[], context: CallContext) => {
    const { data } = await bus.request(createLinks, { body: { jobIds }, context });
    const urls = new Map(data.links.filter(({ final }) => final).map(({ jobId, url }) => [jobId, url]));
    return jobIds.map((jobId) => urls.get(jobId));
  };
  const together = askedTogether({ one, many });

  const noted = async (asked: Promise<string | undefined>): Promise<string | undefined> => {
    try {
      const url = await asked;
      note(true);
      return url;
    } catch (error) {
      note(false, error);
      return undefined;
    }
  };

  return {
    /** The short link; undefined where there is none to be had now. Never rejects. */
    shorten: (jobId: number, context: CallContext) => noted(one(jobId, context)),

    /**
     * The short link, or the fallback address where there is none in time. Never rejects.
     * @param ready the one that was made ahead
     */
    create: async ({ id: jobId, url: ready }: NewId, context: CallContext): Promise<Link> => {
      const url = ready ?? (await noted(together(jobId, within(CREATE_LIMIT_MS, context))));
      return url === undefined
        ? { url: `${base}/Share/Job${jobId}`, linkPending: true }
        : { url, linkPending: false };
    },

    /** Short links of jobs that may come to be, by their ids: of as many as are to be had for nothing. Never rejects. */
    createAhead: async (jobIds: readonly number[]): Promise<ReadonlyMap<number, string>> => {
      const context = ownCall(AHEAD_LIMIT_MS);
      try {
        const { data } = await bus.request(createLinksAhead, { body: { jobIds }, context });
        noteAhead(true);
        return new Map(data.links.map(({ jobId, url }) => [jobId, url]));
      } catch (error) {
        noteAhead(false, error);
        return new Map();
      }
    },

    /** Removes the links of jobs that are gone. */
    remove: async (jobIds: readonly number[], context: CallContext): Promise<void> => {
      await bus.request(removeLinks, { body: { jobIds }, context });
    },
  };
}

/** Says that something works again, or that it does not any more: each time that it has changed, once for all jobs. */
function changes(log: Log, worksAgain: string, fails: string) {
  let isWorking = true;
  return (works: boolean, err?: unknown): void => {
    if (works === isWorking) return;
    isWorking = works;
    if (works) log.info({}, worksAgain);
    else log.warn({ err }, fails);
  };
}
