import type { Figure, Scale } from './figures.ts';
import type { Systems } from './system/systems.ts';

export interface Run {
  /** `full` has the sizes of the promises; `ci` is small and its times have no limits. */
  readonly scale: Scale;
  readonly seed: number;
  /** Duration of the soak. */
  readonly soakMinutes: number;
  /** Duration of the obeying client. */
  readonly obeyMinutes: number;
  /** Gives an experiment its system. */
  readonly systems: Systems;
  /** Prints progress. */
  readonly say: (line: string) => void;
}

/** One promise put to the test. */
export interface Experiment {
  readonly name: string;
  /** Too long for ci scale, where it runs only if --only names it. */
  readonly isLong?: true;
  readonly run: (run: Run) => Promise<readonly Figure[]>;
}
