import type { Bus } from '@joblisting/bus';
import type { Clock, Log } from '@joblisting/service-kit';
import type { SiteConfig } from '../config.ts';
import type { FeedStore } from '../store/feed-store.ts';
import type { PostingStore } from '../store/posting-store.ts';

/** What pages are made from. */
export interface ServerContext {
  readonly config: SiteConfig;
  readonly log: Log;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly postings: PostingStore;
  readonly feeds: FeedStore;
}
