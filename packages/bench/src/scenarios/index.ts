import { getJob, getJobAlone } from './get-job.ts';
import { lists, listsByStatus, listsWrittenTo } from './lists.ts';
import { publicAnswers } from './public-answers.ts';
import type { Scenario } from './scenario.ts';
import { post, put } from './writes.ts';

/** In the order in which they run: what changes the data comes last. */
export const scenarios: readonly Scenario[] = [
  getJob,
  getJobAlone,
  lists,
  listsByStatus,
  publicAnswers,
  listsWrittenTo,
  put,
  post,
];
