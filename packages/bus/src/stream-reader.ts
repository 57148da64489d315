import type { Stream } from '@joblisting/contracts';
import { type NatsConnection, type StoredMsg } from 'nats';
import { isApiError, MESSAGE_ID, MESSAGE_NOT_FOUND } from './events.ts';

/** What a stream holds. Another `createdAt` means that it was lost and created again, with numbers from 1. */
export interface StreamState {
  readonly createdAt: string;
  /** The number of the first message that is left, and of the last one. */
  readonly first: number;
  readonly last: number;
}

/** A message of a stream. `payload` is undefined where it is not JSON. */
export interface StreamMessage {
  readonly subject: string;
  readonly messageId: string;
  readonly payload: unknown;
  /** When the stream got it, in epoch milliseconds. */
  readonly storedAt: number;
}

const API_OPTIONS = { timeout: 2000, checkAPI: false };

/**
 * Reads streams by the numbers of their messages, for readers that keep their position with what they make of the
 * messages: unlike a durable consumer, nothing arrives twice, or in another order.
 */
export function createStreamReader(connection: NatsConnection) {
  return {
    /** Rejects if the server does not answer, or has no such stream. */
    streamState: async ({ name }: Stream): Promise<StreamState> => {
      const { streams } = await connection.jetstreamManager(API_OPTIONS);
      const { created, state } = await streams.info(name);
      return { createdAt: created, first: state.first_seq, last: state.last_seq };
    },

    /** The messages from one number to another, both included, in order. Those that are gone are left out. */
    readStream: async ({ name }: Stream, from: number, to: number): Promise<StreamMessage[]> => {
      const { streams } = await connection.jetstreamManager(API_OPTIONS);
      const read = async (seq: number): Promise<StreamMessage[]> => {
        try {
          return [toMessage(await streams.getMessage(name, { seq }))];
        } catch (error) {
          if (isApiError(error, MESSAGE_NOT_FOUND)) return [];
          throw error;
        }
      };
      const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
      return (await Promise.all(numbers.map((seq) => read(seq)))).flat();
    },
  };
}

const toMessage = (stored: StoredMsg): StreamMessage => ({
  subject: stored.subject,
  messageId: stored.header.get(MESSAGE_ID),
  payload: payloadOf(stored),
  storedAt: stored.time.getTime(),
});

function payloadOf(stored: StoredMsg): unknown {
  try {
    return stored.json();
  } catch {
    return undefined;
  }
}
