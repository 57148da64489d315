import type { Clock, Mutex, NextId } from '@joblisting/service-kit';
import type { CategoriesClient } from '../clients/categories.ts';
import type { CompaniesClient } from '../clients/companies.ts';
import type { LinksClient } from '../clients/links.ts';
import type { AnswerStore } from '../store/answer-store.ts';
import type { CategoryStore } from '../store/category-store.ts';
import type { JobStore } from '../store/job-store.ts';
import type { TombstoneStore } from '../store/tombstone-store.ts';
import type { CleanUp } from '../tasks/clean-up.ts';
import type { JudgeHtml } from './judge-html.ts';
import type { UnknownCategories } from './unknown-categories.ts';

/** Dependencies of the handlers that write a job. */
export interface Deps {
  readonly clock: Clock;
  readonly newId: NextId;
  readonly jobs: JobStore;
  readonly tombstones: TombstoneStore;
  readonly answers: AnswerStore;
  readonly categoryNames: CategoryStore;
  readonly categories: CategoriesClient;
  readonly companies: CompaniesClient;
  readonly links: LinksClient;
  readonly judgeHtml: JudgeHtml;
  readonly unknown: UnknownCategories;
  readonly cleanUp: CleanUp;
  /** One write of a consumer at a time for each job, in this process: concurrent ones would conflict and retry. */
  readonly jobLocks: Mutex;
}
