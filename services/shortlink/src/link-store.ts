import { LINK_AHEAD_MS, ServiceError } from '@joblisting/contracts';
import {
  type Clock,
  groupedInserts,
  insertedTogether,
  type Mongo,
  readDurably,
} from '@joblisting/service-kit';
import { type Link, linksName, linksOf, type ProviderName, type StoredLink, toLink } from './stored-link.ts';

export type LinkStore = ReturnType<typeof linkStore>;

const ATTEMPTS = 10;
/** By then bitly has answered, or been given up, whoever asked. */
const LONGEST_CALL_MS = 5000;
/**
 * No link is checked before its job is committed, or never will be: one that was made ahead is given to a job in time, no
 * call lasts for more than 60 s, and jobs commits none past its deadline. By the machine's time, as the deadlines are.
 */
const CHECK_AFTER_MS = LINK_AHEAD_MS + 60_000 + 30_000;

/** Bitly has no link of such a document, nor may it make one. */
const unknownToBitly = { bitlink: { $exists: false }, asked: { $exists: false } };

/** The collection `links`. Two unique keys, the code and the job, decide every race. */
export function linkStore(mongo: Mongo, clock: Clock, newCode: () => string) {
  const links = linksOf(mongo);
  const insert = groupedInserts<StoredLink>({ mongo, collection: linksName });
  const insertAll = insertedTogether<StoredLink>(mongo, linksName);

  const checkAt = () => new Date(Date.now() + CHECK_AFTER_MS);

  const newLink = (jobId: number, provider: ProviderName): StoredLink => ({
    _id: newCode(),
    jobId,
    createdAt: new Date(clock.now()),
    checkAt: checkAt(),
    ...(provider === 'bitly' && { provider }),
  });

  /** The link of a job that is not known to exist. It is left unchecked for as long as a new one: the job is being made. */
  const putOff = (jobId: number) =>
    links.findOneAndUpdate(
      { jobId, checkAt: { $exists: true } },
      { $set: { checkAt: checkAt() }, $unset: { missed: '' } },
      { returnDocument: 'after' },
    );

  return {
    createIndexes: async (): Promise<void> => {
      await links.createIndex({ jobId: 1 }, { unique: true });
      await links.createIndex({ 'removal.dueAt': 1 }, { sparse: true });
      await links.createIndex({ 'removal.givenUpAt': 1 }, { sparse: true });
      await links.createIndex({ checkAt: 1 }, { sparse: true });
    },

    /**
     * The link of the job, made now for `provider` where there is none: the same one to all who ask at once. A job
     * that asks for the first time, as nearly all do, has its link inserted with those of others.
     * Rejects with `deadline_exceeded` where `deadline` (epoch milliseconds) comes first.
     */
    findOrCreate: async (jobId: number, provider: ProviderName, deadline: number): Promise<Link> => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const made = newLink(jobId, provider);
        const inserted = await insert(made, deadline);
        if (inserted === 'late') throw new ServiceError('deadline_exceeded');
        if (inserted === 'done') return toLink(made);
        const found =
          (await putOff(jobId)) ?? (await readDurably(mongo, (options) => links.findOne({ jobId }, options)));
        if (found) return toLink(found);
        // Then another job has the code, or the link that stood in the way is gone.
      }
      throw new Error(`no free code was found in ${ATTEMPTS} attempts`);
    },

    /** New builtin links, of those jobs that have none yet. A code that is taken costs its job this one. */
    createAhead: async (jobIds: readonly number[]): Promise<Link[]> =>
      (await insertAll(jobIds.map((jobId) => newLink(jobId, 'builtin')))).map(toLink),

    /** The link that a code leads to; undefined for those of jobs that are gone. */
    find: async (code: string): Promise<Link | undefined> => {
      const found = await links.findOne({ _id: code, removal: { $exists: false } });
      return found ? toLink(found) : undefined;
    },

    /** Gives a link that still waits for bitly the builtin address. Resolves to what it has then. */
    takeOver: async (link: Link): Promise<Link> => {
      const waiting = { _id: link.code, bitlink: { $exists: false }, removal: { $exists: false } };
      await links.updateOne(waiting, { $unset: { provider: '' } });
      const found = await links.findOne({ _id: link.code });
      return found ? toLink(found) : { ...link, removed: true };
    },

    /**
     * Removes links with their jobs. Those that bitly has, or may have, are kept for their removal there.
     * Resolves to how many there were.
     * @param dueBy removes only those that were to be checked by then
     */
    removeByJobs: async (jobIds: readonly number[], dueBy?: Date): Promise<number> => {
      const due = dueBy && { checkAt: { $lte: dueBy } };
      const here = { jobId: { $in: [...jobIds] }, removal: { $exists: false }, ...due };
      // In this order: a link that bitly is asked for in between is still found by the second step.
      const { deletedCount } = await links.deleteMany({ ...here, ...unknownToBitly });
      const now = clock.now();
      const dueAt = { $cond: ['$bitlink', new Date(now), new Date(now + LONGEST_CALL_MS)] };
      const removal = { dueAt, attempts: 0, refusals: 0 };
      const { modifiedCount } = await links.updateMany(here, [
        { $set: { removal } },
        { $unset: ['checkAt', 'missed'] },
      ]);
      return deletedCount + modifiedCount;
    },

    /** Links whose jobs were to be asked for by `dueBy`, those that have waited for longest first. */
    unconfirmed: (limit: number, dueBy: Date) =>
      links
        .find({ checkAt: { $lte: dueBy } })
        .project<Pick<StoredLink, 'jobId' | 'missed'>>({ _id: 0, jobId: 1, missed: 1 })
        .sort({ checkAt: 1 })
        .limit(limit)
        .toArray(),

    /** These jobs exist: what becomes of them is told from now on. */
    confirm: async (jobIds: readonly number[]): Promise<void> => {
      await links.updateMany({ jobId: { $in: [...jobIds] } }, { $unset: { checkAt: '', missed: '' } });
    },

    /** These jobs do not exist. They are asked for once more, unless their links were asked for since `dueBy`. */
    miss: async (jobIds: readonly number[], dueBy: Date): Promise<void> => {
      const due = { jobId: { $in: [...jobIds] }, checkAt: { $lte: dueBy } };
      await links.updateMany(due, { $set: { missed: true, checkAt: checkAt() } });
    },
  };
}
