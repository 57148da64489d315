import type { AttemptOutcome } from '@joblisting/contracts';

/** What came of sending an event once. */
export interface SendResult {
  readonly outcome: AttemptOutcome;
  readonly status?: number;
  /** What a receiver with too much to do asked for. */
  readonly retryAfterMs?: number;
  readonly durationMs: number;
}

/** An attempt that has ended. Instants in epoch milliseconds. */
export interface Attempt {
  readonly webhookId: number;
  readonly event: { readonly id: string; readonly type: string };
  readonly at: number;
  readonly result: SendResult;
  readonly nextAttemptAt: number | null;
}
