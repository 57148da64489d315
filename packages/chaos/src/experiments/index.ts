import type { Experiment } from '../experiment.ts';
import { acknowledgedWrites } from './acknowledged-writes.ts';
import { categoryRaces } from './category-races.ts';
import { exactCounts } from './exact-counts.ts';
import { frozenDependencies } from './frozen-dependencies.ts';
import { overload } from './overload.ts';
import { rollingRestart } from './rolling-restart.ts';
import { soak } from './soak.ts';
import { statusWithoutScheduler } from './status-without-scheduler.ts';
import { transitionsOnce } from './transitions-once.ts';

/** Every promise that has a proof, in the order in which they run. */
export const experiments: readonly Experiment[] = [
  acknowledgedWrites,
  exactCounts,
  transitionsOnce,
  statusWithoutScheduler,
  categoryRaces,
  frozenDependencies,
  rollingRestart,
  overload,
  soak,
];
