import { connect, type Socket } from 'node:net';
import type { Keys } from '@joblisting/testing/system';

/** A kind of slow client: sends `head` at once, then `drip` again and again. */
export interface Slowness {
  readonly name: string;
  readonly head: string;
  readonly drip: string;
  /** 0 for a client that reads; otherwise the size of the answers that it does not read. */
  readonly unreadBytes: number;
  /** One in this many clients is of this kind, because some kinds are expensive. */
  readonly oneOf: number;
}

/** An answer to request without reading it. */
export interface LargeAnswer {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly oneOf: number;
}

export interface SlowResult {
  readonly name: string;
  readonly heldMs: number;
  /** Whether the server closed it before the client did. */
  readonly isCutOff: boolean;
  /** The first line of the answer, or the size of the kernels' buffers. */
  readonly answer: string;
}

const MEBI = 2 ** 20;
const DRIP_EVERY_MS = 400;
/** The kernels buffer up to 4 MB of it, so the server has to hold the rest. */
const UNREAD_BYTES = 8 * MEBI;
/** A connection that never read sees its end only after it starts reading. */
const NOTICE_MS = 1500;

/** Slow headers, slow bodies, and clients that never read. */
export function slownesses(
  origin: string,
  { consumer, user }: Keys,
  answers: readonly LargeAnswer[] = [],
): Slowness[] {
  const { host } = new URL(origin);
  const common = `Host: ${host}\r\nConsumer-API-Key: ${consumer}\r\nUser-API-Key: ${user}\r\n`;
  const post = `POST /v1.0/jobs HTTP/1.1\r\n${common}Content-Type: application/json\r\n`;
  const reading = { unreadBytes: 0, oneOf: 1 };
  return [
    { ...reading, name: 'slow headers', head: post, drip: 'X-Slow: 1\r\n' },
    { ...reading, name: 'slow body', head: `${post}Content-Length: 100000\r\n\r\n{"title":"`, drip: 'x' },
    {
      ...reading,
      name: 'slow chunks',
      head: `${post}Transfer-Encoding: chunked\r\n\r\n`,
      drip: '1\r\nx\r\n',
    },
    ...answers.map(({ name, path, bytes, oneOf }) => {
      const times = Math.ceil(UNREAD_BYTES / bytes);
      const head = `GET ${path} HTTP/1.1\r\n${common}\r\n`.repeat(times);
      return { name: `no reading of ${name}`, head, drip: '', unreadBytes: times * bytes, oneOf };
    }),
  ];
}

/** Keeps a slow connection open until the server closes it, or for `limitMs`. */
export async function connectSlowly(
  origin: string,
  slowness: Slowness,
  limitMs: number,
): Promise<SlowResult> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const reads = slowness.unreadBytes === 0;
  if (!reads) socket.pause();
  const since = performance.now();
  const ended = new Promise<void>((resolve) => {
    socket.once('close', resolve);
    socket.once('end', resolve);
    socket.on('error', () => resolve());
  });
  let received = 0;
  let answer = '';
  if (reads) {
    socket.on('data', (chunk: Buffer) => {
      if (answer === '') answer = chunk.toString('latin1').split('\r\n')[0] ?? '';
    });
  }
  socket.write(slowness.head);
  const dripping =
    slowness.drip === '' ? undefined : setInterval(() => drip(socket, slowness), DRIP_EVERY_MS);
  const isEnded = await Promise.race([ended.then(() => true), later(limitMs)]);
  const heldMs = performance.now() - since;
  clearInterval(dripping);
  let isCutOff = isEnded;
  if (!reads && !isEnded) {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    socket.resume();
    // The kernels' buffers still arrive. Then a closed connection ends, long before the last answer.
    const isEndedNow = await Promise.race([ended.then(() => true), later(NOTICE_MS)]);
    isCutOff = isEndedNow || received < slowness.unreadBytes / 2;
  }
  socket.destroy();
  return {
    name: slowness.name,
    heldMs,
    isCutOff,
    answer: reads ? answer : `${(received / 2 ** 20).toFixed(0)} MB`,
  };
}

function drip(socket: Socket, { drip: text }: Slowness): void {
  if (socket.writable) socket.write(text);
}

const later = (ms: number): Promise<false> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
