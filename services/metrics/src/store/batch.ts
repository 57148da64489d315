import type { MetricsReceipt } from '@joblisting/contracts';
import type { KeptAnswer } from '@joblisting/service-kit';
import type { Sent } from '../domain/tally.ts';

/** What one request has sent, and how its receipt is kept; not at all where it came without an Idempotency-Key. */
export interface Batch extends Sent {
  readonly keep?: KeepReceipt | undefined;
}

export interface KeepReceipt {
  readonly key: string;
  readonly answer: (receipt: MetricsReceipt) => KeptAnswer;
}
