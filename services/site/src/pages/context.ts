import type { Bus } from '@joblisting/bus';
import type { Clock, Log, Metrics } from '@joblisting/service-kit';
import type { SiteConfig } from '../config.ts';
import type { FeedStore } from '../store/feed-store.ts';
import type { PostingStore } from '../store/posting-store.ts';
import type { SearchStore } from '../store/search-store.ts';

/** What pages are made from. */
export interface ServerContext {
  readonly config: SiteConfig;
  readonly log: Log;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly metrics: Metrics;
  readonly postings: PostingStore;
  readonly searches: SearchStore;
  readonly feeds: FeedStore;
}
