export type Scale = 'ci' | 'full';

/** What a run measured, beside what was promised. */
export interface Figure {
  readonly promise: string;
  readonly measured: string;
  readonly target: string;
  readonly ok: boolean;
}

export interface Run {
  /** `full` as the promises say; `ci` is small and holds no time against a busy machine. */
  readonly scale: Scale;
  readonly seed: number;
  /** How long a soak lasts, in minutes. */
  readonly soakMinutes: number;
  /** Tells the person who watches how far it is. */
  readonly say: (line: string) => void;
}

/** One promise put to the test on a system of its own. */
export interface Experiment {
  readonly name: string;
  readonly run: (run: Run) => Promise<readonly Figure[]>;
}

/** Picks the size of something by scale. */
export const sized = (run: Run, sizes: Readonly<Record<Scale, number>>): number => sizes[run.scale];

/** A figure that must be 0; what was found is told, the first few of it. */
export function none(promise: string, found: readonly string[], of: string): Figure {
  const some = found.slice(0, 5).join('; ');
  return {
    promise,
    measured: found.length === 0 ? `0 of ${of}` : `${found.length} of ${of}: ${some}`,
    target: '0',
    ok: found.length === 0,
  };
}

/** A duration or a size with a limit; without weight at ci scale. */
export function atMost(run: Run, promise: string, value: number, limit: number, unit: string): Figure {
  const isAsserted = run.scale === 'full';
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(1);
  return {
    promise,
    measured: `${shown} ${unit}`,
    target: isAsserted ? `≤ ${limit} ${unit}` : `(≤ ${limit} ${unit})`,
    ok: !isAsserted || value <= limit,
  };
}

/** Something worth knowing that promises nothing. */
export const note = (promise: string, measured: string): Figure => ({
  promise,
  measured,
  target: '',
  ok: true,
});
