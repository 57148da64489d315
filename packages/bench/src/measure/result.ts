import type { VariantFigures } from './figures.ts';
import type { Goal } from './goals.ts';

/** A figure without a goal. */
export interface Note {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
}

/** What a scenario measured. */
export interface Result {
  readonly scenario: string;
  readonly seconds: number;
  /** The first one is the reference of the ratios. */
  readonly variants: readonly VariantFigures[];
  readonly goals: readonly Goal[];
  readonly notes: readonly Note[];
}

export type Findings = Partial<Omit<Result, 'scenario' | 'seconds'>>;
