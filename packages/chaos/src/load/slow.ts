import { connect, type Socket } from 'node:net';
import type { Keys } from '@joblisting/e2e/harness';

/** A way of being slow: what is sent at once, and what follows byte by byte. */
export interface Slowness {
  readonly name: string;
  readonly head: string;
  readonly drip: string;
  readonly reads: boolean;
}

/** What became of a slow connection. */
export interface SlowEnd {
  readonly name: string;
  readonly heldMs: number;
  /** Whether the server ended it before it was let go. */
  readonly isCutOff: boolean;
  /** What it had been answered by then, the first line. */
  readonly answer: string;
}

const DRIP_EVERY_MS = 400;
/** More than the kernels of both sides keep of answers of a megabyte. */
const PIPELINED = 6;
/** A connection that never reads learns of its end only once it does. */
const NOTICE_MS = 1500;

/** Slow headers, slow bodies, and readers that never read. @param largePath whose answer is about a megabyte */
export function slownesses(origin: string, { consumer, user }: Keys, largePath: string): Slowness[] {
  const { host } = new URL(origin);
  const common = `Host: ${host}\r\nConsumer-API-Key: ${consumer}\r\nUser-API-Key: ${user}\r\n`;
  const post = `POST /v1.0/jobs HTTP/1.1\r\n${common}Content-Type: application/json\r\n`;
  return [
    { name: 'slow headers', head: post, drip: 'X-Slow: 1\r\n', reads: true },
    { name: 'slow body', head: `${post}Content-Length: 100000\r\n\r\n{"title":"`, drip: 'x', reads: true },
    {
      name: 'slow chunks',
      head: `${post}Transfer-Encoding: chunked\r\n\r\n`,
      drip: '1\r\nx\r\n',
      reads: true,
    },
    {
      name: 'no reading',
      head: `GET /v1.0${largePath} HTTP/1.1\r\n${common}\r\n`.repeat(PIPELINED),
      drip: '',
      reads: false,
    },
  ];
}

/** Holds a connection until the server ends it, or for `limitMs`. */
export async function beSlow(origin: string, slowness: Slowness, limitMs: number): Promise<SlowEnd> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  if (!slowness.reads) socket.pause();
  const since = performance.now();
  const ended = new Promise<void>((resolve) => {
    socket.once('close', resolve);
    socket.once('end', resolve);
    socket.on('error', () => resolve());
  });
  let received = 0;
  let answer = '';
  if (slowness.reads) {
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
  if (!slowness.reads && !isEnded) {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    socket.resume();
    // What the kernels hold comes still; one that was cut off ends then, long before the last answer.
    isCutOff = await Promise.race([ended.then(() => true), later(NOTICE_MS)]);
  }
  socket.destroy();
  return {
    name: slowness.name,
    heldMs,
    isCutOff,
    answer: slowness.reads ? answer : `${(received / 2 ** 20).toFixed(0)} MB`,
  };
}

function drip(socket: Socket, { drip: text }: Slowness): void {
  if (socket.writable) socket.write(text);
}

const later = (ms: number): Promise<false> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
