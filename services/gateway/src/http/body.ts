import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@joblisting/contracts';

export interface BodyRules {
  /** The most bytes; one more is `body_too_large`. */
  readonly limit: number;
  /** What is wrong with the headers that describe the body, if anything: thrown as soon as there is a body. */
  readonly unsupported: ServiceError | undefined;
  /** Aborts when the server stops: the rest of the body is not waited for then. */
  readonly refusing: AbortSignal;
  /** Hears of each growth of what is kept, in bytes; what it throws refuses the request. */
  readonly hold: (bytes: number) => void;
}

const NOTHING = new Uint8Array();

/**
 * Reads a request's body as bytes; none is an empty array. Throws ServiceError: what `rules.unsupported` says,
 * `body_too_large`, or `bad_request` where the client went away. What is refused is not kept: the rest of it is
 * read and dropped, so that the client gets to read the answer.
 */
export function readBody(raw: IncomingMessage, rules: BodyRules): Promise<Uint8Array> {
  const announced = Number(raw.headers['content-length'] ?? 0);
  const streamed = raw.headers['transfer-encoding'] !== undefined;
  if (announced === 0 && !streamed) return Promise.resolve(NOTHING);
  return new Promise((resolve, reject) => {
    let kept: Uint8Array = NOTHING;
    let size = 0;
    const settle = (end: () => void) => {
      raw.off('data', take).off('end', finish).off('error', fail).off('close', fail).resume();
      rules.refusing.removeEventListener('abort', stop);
      raw.on('error', () => undefined);
      end();
    };
    const refuse = (error: unknown) => settle(() => reject(error));
    const take = (chunk: Uint8Array) => {
      const end = size + chunk.length;
      if (rules.unsupported) return refuse(rules.unsupported);
      if (end > rules.limit) return refuse(tooLarge(rules.limit));
      try {
        kept = withRoom(kept, size, end, rules.hold);
      } catch (error) {
        return refuse(error);
      }
      kept.set(chunk, size);
      size = end;
    };
    const finish = () => settle(() => resolve(kept.subarray(0, size)));
    const stop = () =>
      refuse(new ServiceError('unavailable', 'The gateway stops.', { retryAfterSeconds: 1 }));
    const fail = () => refuse(new ServiceError('bad_request', 'The body ended before it was complete.'));

    if (announced > 0 && rules.unsupported) reject(rules.unsupported);
    else if (announced > rules.limit) reject(tooLarge(rules.limit));
    else if (raw.destroyed) fail();
    else if (rules.refusing.aborted && !raw.complete) stop();
    else {
      raw.on('data', take).on('end', finish).on('error', fail).on('close', fail);
      if (!raw.complete) rules.refusing.addEventListener('abort', stop);
    }
  });
}

/** Chunks are copied, not kept: a client that sends a body byte by byte would make each byte cost a hundred. */
function withRoom(kept: Uint8Array, size: number, needed: number, hold: BodyRules['hold']): Uint8Array {
  if (needed <= kept.length) return kept;
  const room = Math.max(needed, 2 * kept.length);
  hold(room);
  const larger = new Uint8Array(room);
  larger.set(kept.subarray(0, size));
  return larger;
}

const tooLarge = (limit: number) =>
  new ServiceError('body_too_large', `The body is larger than ${limit} bytes.`);
