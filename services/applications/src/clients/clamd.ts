import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** The scanner has answered that it cannot scan this file. */
export class UnscannableError extends Error {
  override readonly name = 'UnscannableError';
}

/** Scans bytes for viruses. Rejects if the scanner does not answer, and with `UnscannableError`. */
export type Scanner = (content: Uint8Array) => Promise<'clean' | 'infected'>;

const CHUNK_BYTES = 64 * 1024;

/** A scanner that sends each file to clamd by INSTREAM (clamd(8), "COMMANDS"). */
export function clamdAt(address: string, timeoutMs: number): Scanner {
  const { hostname, port } = new URL(address);
  return async (content) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: timeoutMs });
    socket.once('timeout', () => socket.destroy(new Error('clamd did not answer in time')));
    try {
      socket.write('zINSTREAM\0');
      for (let from = 0; from < content.length; from += CHUNK_BYTES) {
        const chunk = content.subarray(from, from + CHUNK_BYTES);
        socket.write(lengthOf(chunk.length));
        socket.write(chunk);
      }
      socket.write(lengthOf(0));
      return resultOf(await text(socket));
    } finally {
      socket.destroy();
    }
  };
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

function resultOf(reply: string): 'clean' | 'infected' {
  const line = reply.replaceAll('\0', '').trim();
  if (line === 'stream: OK') return 'clean';
  if (line.endsWith(' FOUND')) return 'infected';
  throw new UnscannableError(`clamd could not scan a file: ${line.slice(0, 200)}`);
}
