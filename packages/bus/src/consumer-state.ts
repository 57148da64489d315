import type { Event } from '@joblisting/contracts';
import type { NatsConnection } from 'nats';

/** How far a durable consumer is behind its stream. */
export interface ConsumerState {
  readonly stream: string;
  readonly durable: string;
  /** Events that nobody has taken yet. */
  readonly pending: number;
  /** Events that were taken and not acknowledged. */
  readonly ackPending: number;
  /** Of those, the ones that came more than once. */
  readonly redelivered: number;
}

const API_OPTIONS = { timeout: 1000, checkAPI: false };

/** Asks the server. Rejects where it does not say within a second, or the consumer is gone. */
export async function consumerState(
  connection: NatsConnection,
  { stream }: Event,
  durable: string,
): Promise<ConsumerState> {
  const { consumers } = await connection.jetstreamManager(API_OPTIONS);
  const { num_pending, num_ack_pending, num_redelivered } = await consumers.info(stream, durable);
  return {
    stream,
    durable,
    pending: num_pending,
    ackPending: num_ack_pending,
    redelivered: num_redelivered,
  };
}
