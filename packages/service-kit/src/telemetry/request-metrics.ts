import type { Metrics } from './metrics.ts';

/** Notes one request: how it ended, and how long that took. */
export type CountRequest = (operation: string, outcome: string, durationMs: number) => void;

interface Known {
  readonly observe: (seconds: number) => void;
  readonly outcomes: Map<string, () => void>;
}

/**
 * Rate, errors and duration of each operation: `<prefix>_requests_total{operation, outcome}` and
 * `<prefix>_request_duration_seconds{operation}`. The series are looked up once: naming labels costs more than
 * counting does.
 */
export function requestMetrics(metrics: Metrics, prefix: string, what: string): CountRequest {
  const requests = metrics.countSeries({
    name: `${prefix}_requests_total`,
    help: `${what}, by operation and outcome: ok, created, deleted, or an error code.`,
    labelNames: ['operation', 'outcome'],
  });
  const durations = metrics.durationSeries({
    name: `${prefix}_request_duration_seconds`,
    help: `How long they took, by operation.`,
    labelNames: ['operation'],
  });
  const all = new Map<string, Known>();

  const know = (operation: string): Known => {
    const known: Known = { observe: durations(operation), outcomes: new Map() };
    all.set(operation, known);
    return known;
  };

  const knowOutcome = ({ outcomes }: Known, operation: string, outcome: string): (() => void) => {
    const count = requests(operation, outcome);
    outcomes.set(outcome, count);
    return count;
  };

  return (operation, outcome, durationMs) => {
    const known = all.get(operation) ?? know(operation);
    known.observe(durationMs / 1000);
    (known.outcomes.get(outcome) ?? knowOutcome(known, operation, outcome))();
  };
}
