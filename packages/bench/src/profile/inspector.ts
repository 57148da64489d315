import { setTimeout as delay } from 'node:timers/promises';
import type { CpuProfile } from './parts.ts';

/** A process of Node, and the port on which it opens its inspector when it is told to. */
export interface Inspected {
  readonly pid: number;
  readonly port: number;
}

/** A profile that is being taken. Either way to end it closes the connection. */
export interface Recording {
  readonly stop: () => Promise<CpuProfile>;
  readonly abandon: () => void;
}

interface Session {
  readonly call: (method: string, params?: object) => Promise<unknown>;
  readonly close: () => void;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const SAMPLE_EVERY_MICROS = 200;
const OPEN_LIMIT_MS = 10_000;
const ANSWER_LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 50;
const CLOSED = 'the inspector closed the connection';

/**
 * What Node is started with so that its process can be profiled later. It opens nothing. A function that was compiled
 * before the profile began would be counted to its caller where it was compiled into that without the detailed line info,
 * and where it was in the middle of a loop.
 */
export const inspectableFlags = (port: number): string[] => [
  `--inspect-port=${port}`,
  '--detailed-line-info',
  '--no-use-osr',
];

/** Starts to sample what the process does. Rejects when its inspector does not answer in time. */
export async function record({ pid, port }: Inspected): Promise<Recording> {
  // The process itself knows nothing of it: Node opens its inspector on this signal.
  process.kill(pid, 'SIGUSR1');
  const { call, close } = await openSession(await socketUrl(port));
  try {
    await call('Profiler.enable');
    await call('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_MICROS });
    await call('Profiler.start');
  } catch (error) {
    close();
    throw error;
  }
  const stop = async (): Promise<CpuProfile> => {
    try {
      const { profile } = (await call('Profiler.stop')) as { profile: CpuProfile };
      // What comes after is measured without the bookkeeping of a profiler.
      await call('Profiler.disable');
      return profile;
    } finally {
      close();
    }
  };
  return { stop, abandon: close };
}

async function socketUrl(port: number): Promise<string> {
  const endAt = performance.now() + OPEN_LIMIT_MS;
  let cause: unknown;
  while (performance.now() < endAt) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: AbortSignal.timeout(1000) });
      const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
      if (target) return target.webSocketDebuggerUrl;
    } catch (error) {
      cause = error;
    }
    await delay(LOOK_EVERY_MS);
  }
  throw new Error(`no inspector on port ${port}`, { cause });
}

/** Speaks the protocol of the inspector: requests and answers, told apart by number. */
async function openSession(url: string): Promise<Session> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (answer: Answer) => void>();
  const failAll = (message: string): void => {
    for (const [id, settle] of waiting) settle({ id, error: { message } });
  };
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id ?? 0)?.(answer);
  });
  socket.addEventListener('close', () => failAll(CLOSED));
  await opened(socket);

  let calls = 0;
  const call = async (method: string, params: object = {}): Promise<unknown> => {
    const id = ++calls;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    waiting.set(id, resolve);
    const limit = setTimeout(resolve, ANSWER_LIMIT_MS, { error: { message: 'no answer in time' } });
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id, method, params }));
    else resolve({ error: { message: CLOSED } });
    const { result, error } = await promise;
    clearTimeout(limit);
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return { call, close: () => socket.close() };
}

async function opened(socket: WebSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener('open', () => resolve(), { once: true });
  socket.addEventListener('close', () => reject(new Error('the inspector takes no connection')), {
    once: true,
  });
  const limit = setTimeout(() => socket.close(), ANSWER_LIMIT_MS);
  await promise.finally(() => clearTimeout(limit));
}
