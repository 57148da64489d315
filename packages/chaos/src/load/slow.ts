import { connect, type Socket } from 'node:net';
import type { Keys } from '@joblisting/testing/system';

/** A way of being slow: what is sent at once, and what follows byte by byte. */
export interface Slowness {
  readonly name: string;
  readonly head: string;
  readonly drip: string;
  /** 0 for one that reads; otherwise the bytes that the server must not have got rid of without a reader. */
  readonly unreadBytes: number;
  /** Of so many slow clients one is slow in this way: some ways cost more than they are slow. */
  readonly oneOf: number;
}

/** An answer to ask for without reading it. */
export interface LargeAnswer {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly oneOf: number;
}

/** What became of a slow connection. */
export interface SlowEnd {
  readonly name: string;
  readonly heldMs: number;
  /** Whether the server ended it before it was let go, or refused all that it asked for. */
  readonly isCutOff: boolean;
  /** The first line of the answer, or how much was in the kernels' buffers. */
  readonly answer: string;
}

const MEBI = 2 ** 20;
const DRIP_EVERY_MS = 400;
/** The kernels of both sides keep up to 4 MB of what nobody reads: half of this is kept by the server. */
const UNREAD_BYTES = 8 * MEBI;
/** A connection that never reads learns of its end only once it does. */
const NOTICE_MS = 1500;

/** Slow headers, slow bodies, and readers that never read. */
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

/** Holds a connection until the server ends it, or for `limitMs`. */
export async function beSlow(origin: string, slowness: Slowness, limitMs: number): Promise<SlowEnd> {
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
    // What the kernels hold comes still; one that was cut off ends then, long before the last answer.
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
