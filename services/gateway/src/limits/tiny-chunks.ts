import { IncomingMessage, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { isChunked } from '../http/body.ts';

/** A body may have this many chunks of any size. */
const ANY_SIZE = 1024;
/** The least average size of a longer body's chunks. */
const LEAST_BYTES = 32;

/**
 * The class of a server's requests, for its option `IncomingMessage`. Ends a body in tiny chunks: one read of the
 * socket brings 10,000 chunks of one byte, and each costs 200 bytes until the body is read.
 * @param onFlood closes the connection of such a body
 */
export function refuseTinyChunks(onFlood: (socket: Socket) => void): typeof IncomingMessage {
  return class extends IncomingMessage {
    #chunks = 0;
    #bytes = 0;
    #isRefused = false;

    override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
      if (this.#isRefused) return false;
      if (chunk !== null && isChunked(this)) {
        this.#chunks++;
        this.#bytes += chunk.length;
        this.#isRefused = this.#chunks > ANY_SIZE && this.#bytes < this.#chunks * LEAST_BYTES;
      }
      if (this.#isRefused) {
        onFlood(this.socket);
        return false;
      }
      return super.push(chunk, encoding);
    }
  };
}

/** Reads on after the answer, so that `refuseTinyChunks` counts those chunks too: node would drop them uncounted. */
export const readToTheEnd =
  (handle: RequestListener): RequestListener =>
  (request, response) => {
    if (isChunked(request)) {
      response.prependOnceListener('finish', () => {
        if (!request.complete) request.resume();
      });
    }
    handle(request, response);
  };
