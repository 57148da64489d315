import type { Experiment } from '../experiment.ts';
import { acknowledgedWrites } from './acknowledged-writes.ts';
import { applications } from './applications.ts';
import { categoryRaces } from './category-races.ts';
import { changeLog } from './change-log.ts';
import { clockJumps } from './clock-jumps.ts';
import { exactCounts } from './exact-counts.ts';
import { frozenDependencies } from './frozen-dependencies.ts';
import { frozenGateway } from './frozen-gateway.ts';
import { hostile } from './hostile.ts';
import { longTexts } from './long-texts.ts';
import { manyNodes } from './many-nodes.ts';
import { noonOf100000 } from './noon-of-100000.ts';
import { obeyingClient } from './obeying-client.ts';
import { overload } from './overload.ts';
import { rollingRestart } from './rolling-restart.ts';
import { siteViews } from './site-views.ts';
import { slowClients } from './slow-clients.ts';
import { soak } from './soak.ts';
import { statusWithoutScheduler } from './status-without-scheduler.ts';
import { transitionsOnce } from './transitions-once.ts';

/** All experiments, in the order in which they run. Those that can share a system follow each other. */
export const experiments: readonly Experiment[] = [
  acknowledgedWrites,
  exactCounts,
  applications,
  siteViews,
  changeLog,
  categoryRaces,
  frozenDependencies,
  slowClients,
  hostile,
  longTexts,
  overload,
  soak,
  rollingRestart,
  frozenGateway,
  obeyingClient,
  manyNodes,
  transitionsOnce,
  noonOf100000,
  statusWithoutScheduler,
  clockJumps,
];
