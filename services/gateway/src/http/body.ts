import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError, unavailable } from '@joblisting/contracts';

export interface BodyRules {
  /** The most bytes; one more is `body_too_large`. */
  readonly limit: number;
  /** The error for wrong headers of the body, if any. Thrown only if there is a body. */
  readonly unsupported: ServiceError | undefined;
  /** Aborts when the server stops, which ends the wait for the rest of the body. */
  readonly stopping: AbortSignal;
  /** Called with the new size whenever the buffer grows; may throw to refuse the request. */
  readonly onGrowth: (bytes: number) => void;
}

const EMPTY = new Uint8Array();

/** The bytes that Content-Length announces; 0 without it. */
export const announcedLength = ({ headers }: IncomingMessage): number =>
  Number(headers['content-length'] ?? 0);

export const isChunked = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined;

/**
 * Reads a request's body as bytes; none is an empty array. Throws ServiceError: `rules.unsupported`,
 * `body_too_large`, `unavailable` when the server stops, or `bad_request` where the client left. The rest of a
 * refused body is read and dropped, so that the client gets to read the answer.
 */
export function readBody(raw: IncomingMessage, rules: BodyRules): Promise<Uint8Array> {
  const announced = announcedLength(raw);
  if (announced === 0 && !isChunked(raw)) return Promise.resolve(EMPTY);
  return new Promise((resolve, reject) => {
    let buffer: Uint8Array = EMPTY;
    let size = 0;
    const end = (finish: () => void) => {
      raw.off('data', append).off('end', succeed).off('error', fail).off('close', fail).resume();
      rules.stopping.removeEventListener('abort', stop);
      raw.on('error', () => undefined);
      finish();
    };
    const refuse = (error: unknown) => end(() => reject(error));
    const append = (chunk: Uint8Array) => {
      const needed = size + chunk.length;
      if (rules.unsupported) return refuse(rules.unsupported);
      if (needed > rules.limit) return refuse(tooLarge(rules.limit));
      try {
        buffer = grown(buffer, { size, needed, announced }, rules.onGrowth);
      } catch (error) {
        return refuse(error);
      }
      buffer.set(chunk, size);
      size = needed;
    };
    const succeed = () => end(() => resolve(buffer.subarray(0, size)));
    const stop = () => refuse(unavailable('stopping', 'The gateway is stopping.'));
    const fail = () => refuse(new ServiceError('bad_request', 'The body ended before it was complete.'));

    if (announced > 0 && rules.unsupported) reject(rules.unsupported);
    else if (announced > rules.limit) reject(tooLarge(rules.limit));
    else if (raw.destroyed) fail();
    else if (rules.stopping.aborted && !raw.complete) stop();
    else {
      raw.on('data', append).on('end', succeed).on('error', fail).on('close', fail);
      if (!raw.complete) rules.stopping.addEventListener('abort', stop);
    }
  });
}

/** Few copies of large bodies, and little memory for clients that announce one and send its beginning. */
const GROWTH = 8;
const GROWTH_OF_UNANNOUNCED = 2;

/** Copies instead of keeping chunks: a body sent byte by byte would cost a hundred times its size. */
function grown(
  buffer: Uint8Array,
  { size, needed, announced }: { readonly size: number; readonly needed: number; readonly announced: number },
  onGrowth: BodyRules['onGrowth'],
): Uint8Array {
  if (needed <= buffer.length) return buffer;
  const larger =
    announced > 0 ? Math.min(announced, GROWTH * buffer.length) : GROWTH_OF_UNANNOUNCED * buffer.length;
  const capacity = Math.max(needed, larger);
  onGrowth(capacity);
  const copy = new Uint8Array(capacity);
  copy.set(buffer.subarray(0, size));
  return copy;
}

const tooLarge = (limit: number) =>
  new ServiceError('body_too_large', `The body is larger than ${limit} bytes.`);

/**
 * Before a refusal on a connection that will be closed: reads and drops what the client is still sending, up to
 * `limit` bytes. Closing over unread bytes resets the connection, and the client never sees the answer
 * (RFC 9112, section 9.6). On a connection that stays, node does it afterwards.
 */
export async function drain(raw: IncomingMessage, response: ServerResponse, limit: number): Promise<void> {
  if (raw.complete || raw.destroyed || response.shouldKeepAlive) return;
  await new Promise<void>((resolve) => {
    let size = 0;
    raw.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > limit) resolve();
    });
    raw
      .on('end', resolve)
      .on('close', resolve)
      .on('error', () => resolve());
  });
}
