import type { Mongo } from '@joblisting/service-kit';
import type { Bitlink } from './bitly/bitlink.ts';

export const providerNames = ['builtin', 'bitly'] as const;
export type ProviderName = (typeof providerNames)[number];

/** A document of the collection `links`. `_id` is the code of the builtin address. */
export interface StoredLink {
  readonly _id: string;
  readonly jobId: number;
  readonly createdAt: Date;
  /** Whose address the job has, or waits for. Absent: the builtin one. */
  readonly provider?: 'bitly';
  readonly bitlink?: Bitlink;
  /** Bitly was asked for a link, and what came of it is not known. */
  readonly asked?: true;
  /** There once the job is gone and bitly still may have its link. */
  readonly removal?: Removal;
}

export interface Removal {
  readonly dueAt: Date;
  /** How often it was tried in vain. */
  readonly attempts: number;
}

/** A job's link. Its code never changes and is never given to another job while the link is there. */
export interface Link {
  readonly code: string;
  readonly jobId: number;
  readonly provider: ProviderName;
  readonly bitlink: Bitlink | undefined;
  /** The job is gone, its link at bitly not yet. */
  readonly removed: boolean;
}

export const linksOf = (mongo: Mongo) => mongo.collection<StoredLink>('links');

export const toLink = ({ _id, jobId, provider, bitlink, removal }: StoredLink): Link => ({
  code: _id,
  jobId,
  provider: provider ?? 'builtin',
  bitlink,
  removed: removal !== undefined,
});
