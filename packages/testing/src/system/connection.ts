import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Keys } from './client.ts';

export interface TimedAnswer {
  /** 0 without an answer. */
  readonly status: number;
  readonly ms: number;
  readonly hasRetryAfter: boolean;
}

/** A connection that sends one request at a time. */
export interface Connection {
  readonly send: (request: string | Uint8Array) => Promise<TimedAnswer>;
  /** False once the server has closed it. */
  readonly isOpen: () => boolean;
  /** Closes it if a request waits since before this moment of the monotonic clock. */
  readonly closeIfWaitingSince: (moment: number) => void;
  readonly close: () => void;
}

const HEAD_END = '\r\n\r\n';

/**
 * A minimal HTTP/1.1 client for loads: an answer has a Content-Length or no body. A complete client costs five times
 * the CPU, which the load shares with the measured system.
 */
export function openConnection(host: string, port: number): Connection {
  const socket: Socket = connect(port, host).setNoDelay(true);
  let isOpen = true;
  let pending: { readonly since: number; readonly resolve: (answer: TimedAnswer) => void } | undefined;
  let head = '';
  let bodyLeft: number | undefined;
  let answer = { status: 0, hasRetryAfter: false };

  const end = (outcome: typeof answer): void => {
    const request = pending;
    pending = undefined;
    head = '';
    bodyLeft = undefined;
    request?.resolve({ ...outcome, ms: performance.now() - request.since });
  };
  const hangUp = (): void => {
    isOpen = false;
    socket.destroy();
    end({ status: 0, hasRetryAfter: false });
  };
  const read = (chunk: Buffer): void => {
    let from = 0;
    if (bodyLeft === undefined) {
      const before = head.length;
      head += chunk.toString('latin1');
      const headEnd = head.indexOf(HEAD_END);
      if (headEnd < 0) return;
      from = headEnd + HEAD_END.length - before;
      answer = { status: Number(head.slice(9, 12)), hasRetryAfter: /\r\nretry-after:/i.test(head) };
      bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (/\r\nconnection: *close/i.test(head)) isOpen = false;
    }
    bodyLeft -= chunk.length - from;
    if (bodyLeft <= 0) end(answer);
  };
  socket.on('data', read).on('error', hangUp).on('close', hangUp);

  return {
    send: (request) =>
      new Promise((resolve) => {
        pending = { since: performance.now(), resolve };
        if (isOpen) socket.write(request);
        else hangUp();
      }),
    isOpen: () => isOpen,
    closeIfWaitingSince: (moment) => {
      if (pending && pending.since < moment) hangUp();
    },
    close: hangUp,
  };
}

/** Writes HTTP/1.1 requests to one origin, for `openConnection`. */
export function requestsTo(origin: string, keys: Keys = {}) {
  const head = [
    `Host: ${new URL(origin).host}`,
    ...(keys.consumer === undefined ? [] : [`Consumer-API-Key: ${keys.consumer}`]),
    ...(keys.user === undefined ? [] : [`User-API-Key: ${keys.user}`]),
  ].join('\r\n');
  const start = (method: string, path: string): string => `${method} ${path} HTTP/1.1\r\n${head}\r\n`;
  const bodyHead = (contentType: string, length: number): string =>
    `Content-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n`;
  const write = (method: string, path: string, body?: string): string =>
    body === undefined
      ? `${start(method, path)}\r\n`
      : start(method, path) + bodyHead('application/json', Buffer.byteLength(body)) + body;
  return {
    write,
    get: (path: string): string => write('GET', path),
    post: (path: string, body: string): string => write('POST', path, body),
    put: (path: string, body: string): string => write('PUT', path, body),
    postBytes: (path: string, body: Uint8Array, contentType: string): Uint8Array =>
      Buffer.concat([Buffer.from(start('POST', path) + bodyHead(contentType, body.length)), body]),
  };
}
