/** A limit and what was measured. A missed goal does not fail the run. */
export interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly limit: number;
  /** `×` is a ratio to the reference of the same run. */
  readonly unit: string;
  readonly isAtLeast: boolean;
}

export const atMost = (what: string, measured: number, limit: number, unit = '×'): Goal => ({
  what,
  measured,
  limit,
  unit,
  isAtLeast: false,
});

export const atLeast = (what: string, measured: number, limit: number, unit: string): Goal => ({
  what,
  measured,
  limit,
  unit,
  isAtLeast: true,
});

/** NaN and Infinity meet no goal. */
export function isMet({ measured, limit, isAtLeast }: Goal): boolean {
  if (!Number.isFinite(measured)) return false;
  return isAtLeast ? measured >= limit : measured <= limit;
}

/** NaN if both are 0. */
export const ratio = (figure: number, reference: number): number => figure / reference;
