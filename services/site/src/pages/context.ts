import type { Clock, Log, Metrics } from '@joblisting/service-kit';
import type { ApiClient } from '../clients/api.ts';
import type { SiteConfig } from '../config.ts';
import type { Tokens } from '../domain/tokens.ts';
import type { FeedStore } from '../store/feed-store.ts';
import type { PostingStore } from '../store/posting-store.ts';
import type { ReportStore } from '../store/report-store.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SubmissionStore } from '../store/submission-store.ts';
import type { VisitStore } from '../store/visit-store.ts';

/** What pages are made from. */
export interface ServerContext {
  readonly config: SiteConfig;
  readonly log: Log;
  readonly clock: Clock;
  /** Why it cannot serve pages now; undefined when it can. */
  readonly notReady: () => Promise<string | undefined>;
  readonly metrics: Metrics;
  readonly postings: PostingStore;
  readonly searches: SearchStore;
  readonly feeds: FeedStore;
  readonly api: ApiClient;
  readonly tokens: Tokens;
  readonly visits: VisitStore;
  readonly reports: ReportStore;
  readonly submissions: SubmissionStore;
  /** Called for an event that does not count because too many wait. */
  readonly onReportRefused: () => void;
}
