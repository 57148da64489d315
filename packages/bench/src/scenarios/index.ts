import { applications } from './applications.ts';
import { batch } from './batch.ts';
import { idle } from './idle.ts';
import { importing } from './import.ts';
import { getJob, lists, oneConnection, post, put } from './jobs.ts';
import { metrics } from './metrics.ts';
import { publicAnswers } from './public-answers.ts';
import type { Scenario } from './scenario.ts';
import { site } from './site.ts';
import { transitions } from './transitions.ts';
import { webhooks } from './webhooks.ts';

/** In the order in which they run: reads, then writes, then restarts. */
export const scenarios: readonly Scenario[] = [
  getJob,
  lists,
  publicAnswers,
  oneConnection,
  put,
  post,
  importing,
  batch,
  metrics,
  applications,
  site,
  webhooks,
  transitions,
  idle,
];
