export type Scale = 'ci' | 'full';

export interface Scaled {
  readonly scale: Scale;
}

/** A measured value beside the promised one. */
export interface Figure {
  readonly promise: string;
  readonly measured: string;
  readonly target: string;
  readonly ok: boolean;
  /** False for a note, which neither passes nor fails. */
  readonly isPromise: boolean;
}

/** The value for the scale of the run. */
export const sized = <T>(run: Scaled, sizes: Readonly<Record<Scale, T>>): T => sizes[run.scale];

/** A figure that must be 0. Shows the first few violations. */
export function none(promise: string, violations: readonly string[], of: string): Figure {
  const some = violations
    .slice(0, 5)
    .map((one) => one.slice(0, 200))
    .join('; ');
  return {
    promise,
    measured: violations.length === 0 ? `0 of ${of}` : `${violations.length} of ${of}: ${some}`,
    target: '0',
    ok: violations.length === 0,
    isPromise: true,
  };
}

/** A minimum, below which the experiment proves nothing. */
export const atLeast = (promise: string, count: number, least: number): Figure => ({
  promise,
  measured: String(count),
  target: `≥ ${least}`,
  ok: count >= least,
  isPromise: true,
});

/** A duration or size with a limit. Only a note at ci scale. */
export function atMost(
  { scale }: Scaled,
  promise: string,
  value: number,
  limit: number,
  unit: string,
): Figure {
  const isPromise = scale === 'full';
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(1);
  return {
    promise,
    measured: `${shown} ${unit}`,
    target: isPromise ? `≤ ${limit} ${unit}` : `(≤ ${limit} ${unit})`,
    ok: !isPromise || value <= limit,
    isPromise,
  };
}

/** A figure without a promise. */
export const note = (promise: string, measured: string): Figure => ({
  promise,
  measured,
  target: '',
  ok: true,
  isPromise: false,
});
