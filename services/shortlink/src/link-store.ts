import { batcher, type Clock, type Mongo } from '@joblisting/service-kit';
import { insertEach } from '@joblisting/service-kit/mongo';
import { newCode } from './addresses.ts';
import { type Bitlink, type LinkDocument, linkModel, type ProviderName } from './models/link.ts';

/** A job's link. Its code never changes and is never given to another job while the link is there. */
export interface Link {
  readonly code: string;
  readonly jobId: number;
  readonly provider: ProviderName;
  readonly bitlink: Bitlink | undefined;
  /** The period whose budget pays for it. Set before bitly is requested, so bitly may have the link. */
  readonly granted: string | undefined;
  /** The job is deleted, and the link must be removed at bitly. */
  readonly isRemoved: boolean;
}

export const toLink = ({ _id, jobId, provider, bitlink, granted, removal }: LinkDocument): Link => ({
  code: _id,
  jobId,
  provider: provider ?? 'builtin',
  bitlink: bitlink ?? undefined,
  granted: granted ?? undefined,
  isRemoved: Boolean(removal),
});

export type LinkStore = ReturnType<typeof linkStore>;

const CODE_ATTEMPTS = 10;
/** No job is committed so long after its link was made: a request takes 60 s at most. */
const CHECK_AFTER_MS = 600_000;

/** The collection `links`. Its unique keys, the code and the job, decide every race. */
export function linkStore(mongo: Mongo, clock: Clock, generateCode: () => string = newCode) {
  const links = linkModel(mongo);

  const newLink = (jobId: number, provider: ProviderName): LinkDocument => ({
    _id: generateCode(),
    jobId,
    createdAt: new Date(clock.now()),
    checkAt: new Date(clock.now() + CHECK_AFTER_MS),
    ...(provider === 'bitly' && { provider }),
  });

  const insertTogether = batcher((created: readonly LinkDocument[]) => insertEach(links, created));

  return {
    /** Finds the link of the job, or makes one for `provider`. All callers get the same one. */
    findOrCreate: async (jobId: number, provider: ProviderName): Promise<Link> => {
      for (let attempt = 1; attempt <= CODE_ATTEMPTS; attempt++) {
        const created = newLink(jobId, provider);
        if ((await insertTogether(created)) === 'done') return toLink(created);
        const present = await links.findOne({ jobId }).lean();
        if (present) return toLink(present);
      }
      throw new Error(`${CODE_ATTEMPTS} codes at random were all taken.`);
    },

    /** The link of a code; undefined if its job is deleted. */
    find: async (code: string): Promise<Link | undefined> => {
      const found = await links.findOne({ _id: code, removal: { $exists: false } }).lean();
      return found ? toLink(found) : undefined;
    },

    /** Gives a link without a bitly address the builtin one. Resolves to false if it has one by now, or is deleted. */
    makeBuiltin: async ({ code }: Link): Promise<boolean> => {
      const pending = { _id: code, bitlink: { $exists: false }, removal: { $exists: false } };
      const { matchedCount } = await links.updateOne(pending, { $unset: { provider: 1 } });
      return matchedCount === 1;
    },

    /**
     * Removes the links of jobs. Links that bitly has, or may have, stay until they are removed there. Resolves to how
     * many there were.
     */
    removeByJobs: async (jobIds: readonly number[]): Promise<number> => {
      const present = { jobId: { $in: [...jobIds] }, removal: { $exists: false } };
      // In this order, so that the second step finds a link that is requested from bitly in between.
      const unknownToBitly = { bitlink: { $exists: false }, granted: { $exists: false } };
      const { deletedCount } = await links.deleteMany({ ...present, ...unknownToBitly });
      const { modifiedCount } = await links.updateMany(present, {
        $set: { removal: { dueAt: new Date(clock.now()), attempts: 0 } },
        $unset: { checkAt: 1 },
      });
      return deletedCount + modifiedCount;
    },

    /** Jobs whose check is due by now, longest due first. */
    unconfirmedJobs: async (limit: number): Promise<number[]> => {
      const due = links.find({ checkAt: { $lte: new Date(clock.now()) } }, { jobId: 1 });
      return (await due.sort({ checkAt: 1 }).limit(limit).lean()).map(({ jobId }) => jobId);
    },

    /** Ends the checks of these jobs, which exist. `jobs` reports their deletion. */
    confirm: async (jobIds: readonly number[]): Promise<void> => {
      await links.updateMany({ jobId: { $in: [...jobIds] } }, { $unset: { checkAt: 1 } });
    },
  };
}
