import type { Clock, Mutex } from '@joblisting/service-kit';
import type { CategoriesPeer } from '../peers/categories.ts';
import type { CompaniesPeer } from '../peers/companies.ts';
import type { LinksPeer } from '../peers/links.ts';
import type { AnswerStore } from '../store/answer-store.ts';
import type { CategoryStore } from '../store/category-store.ts';
import type { JobStore } from '../store/job-store.ts';
import type { TombstoneStore } from '../store/tombstone-store.ts';
import type { CleanUp } from '../tasks/clean-up.ts';
import type { JudgeHtml } from './judge-html.ts';
import type { UnknownCategories } from './unknown-categories.ts';

/** What the handlers that write a job work with. */
export interface Deps {
  readonly clock: Clock;
  readonly newId: () => Promise<number>;
  readonly jobs: JobStore;
  readonly tombstones: TombstoneStore;
  readonly answers: AnswerStore;
  readonly categoryNames: CategoryStore;
  readonly categories: CategoriesPeer;
  readonly companies: CompaniesPeer;
  readonly links: LinksPeer;
  readonly judgeHtml: JudgeHtml;
  readonly unknown: UnknownCategories;
  readonly cleanUp: CleanUp;
  /** One writer at a time for each job, in this process: others would lose and try again. */
  readonly jobLocks: Mutex;
}
