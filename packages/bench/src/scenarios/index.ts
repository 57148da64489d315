import { coldStart } from './cold-start.ts';
import { getJob, getJobAlone } from './get-job.ts';
import { idle } from './idle.ts';
import { importing } from './import.ts';
import { lists, listsByStatus, listsWrittenTo } from './lists.ts';
import { memory } from './memory.ts';
import { metrics } from './metrics.ts';
import { post } from './post.ts';
import { publicAnswers } from './public-answers.ts';
import { put } from './put.ts';
import type { Scenario } from './scenario.ts';
import { transitions } from './transitions.ts';

/** In the order in which they run: what changes the data comes after what reads it, and restarts come last. */
export const scenarios: readonly Scenario[] = [
  getJob,
  getJobAlone,
  lists,
  listsByStatus,
  publicAnswers,
  listsWrittenTo,
  put,
  post,
  importing,
  metrics,
  memory,
  transitions,
  coldStart,
  idle,
];
