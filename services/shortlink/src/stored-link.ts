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
  /** How many calls asked bitly for the link of which it is not known that nothing came. */
  readonly asked?: number;
  /** The period whose budget the link was taken from. There while `asked` is above 0: asking again costs nothing. */
  readonly granted?: string;
  /** Further links of the job at bitly: given to nobody, removed with it. */
  readonly spares?: readonly string[];
  /** When to ask whether the job exists. Absent once it was found to. */
  readonly checkAt?: Date;
  /** It did not when it was asked for. One look more decides. */
  readonly missed?: true;
  /** There once the job is gone and bitly still may have its link. */
  readonly removal?: Removal;
}

export interface Removal {
  /** Absent once it is given up. */
  readonly dueAt?: Date;
  readonly givenUpAt?: Date;
  /** How often it failed. */
  readonly attempts: number;
  /** How many of these were because of the link itself. */
  readonly refusals: number;
}

/** A job's link. Its code never changes and is never given to another job while the link is there. */
export interface Link {
  readonly code: string;
  readonly jobId: number;
  readonly provider: ProviderName;
  readonly bitlink: Bitlink | undefined;
  readonly granted: string | undefined;
  /** The job is gone, its link at bitly not yet. */
  readonly removed: boolean;
}

export const linksName = 'links';
export const linksOf = (mongo: Mongo) => mongo.collection<StoredLink>(linksName);

export const toLink = ({ _id, jobId, provider, bitlink, granted, removal }: StoredLink): Link => ({
  code: _id,
  jobId,
  provider: provider ?? 'builtin',
  bitlink,
  granted,
  removed: removal !== undefined,
});
