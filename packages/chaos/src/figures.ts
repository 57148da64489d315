export type Scale = 'ci' | 'full';

export interface Scaled {
  readonly scale: Scale;
}

/** What a run measured, beside what was promised. */
export interface Figure {
  readonly promise: string;
  readonly measured: string;
  readonly target: string;
  readonly ok: boolean;
  /** False for what is only told: it neither holds nor falls short. */
  readonly isPromise: boolean;
}

/** Picks something by scale. */
export const sized = <T>(run: Scaled, sizes: Readonly<Record<Scale, T>>): T => sizes[run.scale];

/** A figure that must be 0; what was found is told, the first few of it. */
export function none(promise: string, found: readonly string[], of: string): Figure {
  const some = found
    .slice(0, 5)
    .map((one) => one.slice(0, 200))
    .join('; ');
  return {
    promise,
    measured: found.length === 0 ? `0 of ${of}` : `${found.length} of ${of}: ${some}`,
    target: '0',
    ok: found.length === 0,
    isPromise: true,
  };
}

/** Something that must have been seen often enough, or the experiment has shown nothing. */
export const atLeast = (promise: string, count: number, least: number): Figure => ({
  promise,
  measured: String(count),
  target: `≥ ${least}`,
  ok: count >= least,
  isPromise: true,
});

/** A duration or a size with a limit; without weight at ci scale. */
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

/** Something worth knowing that promises nothing. */
export const note = (promise: string, measured: string): Figure => ({
  promise,
  measured,
  target: '',
  ok: true,
  isPromise: false,
});
