import type { Experiment } from '../experiment.ts';
import { acknowledgedWrites } from './acknowledged-writes.ts';
import { frozenDependencies } from './frozen-dependencies.ts';
import { rollingRestart } from './rolling-restart.ts';

/** Every promise that has a proof, in the order in which they run. */
export const experiments: readonly Experiment[] = [acknowledgedWrites, frozenDependencies, rollingRestart];
