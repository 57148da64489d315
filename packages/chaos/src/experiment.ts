import type { Figure, Scale } from './figures.ts';
import type { Systems } from './system/systems.ts';

export interface Run {
  /** `full` as the promises say; `ci` is small and holds no time against a busy machine. */
  readonly scale: Scale;
  readonly seed: number;
  /** How long a soak lasts, in minutes. */
  readonly soakMinutes: number;
  /** How long a client obeys its rate limit, in minutes. */
  readonly obeyMinutes: number;
  /** Where an experiment gets its system from. */
  readonly systems: Systems;
  /** Tells the person who watches how far it is. */
  readonly say: (line: string) => void;
}

/** One promise put to the test. */
export interface Experiment {
  readonly name: string;
  /** True where it takes too long for ci scale: there it runs only where --only names it. */
  readonly isLong?: true;
  readonly run: (run: Run) => Promise<readonly Figure[]>;
}
