import type { Socket } from 'node:net';
import { ServiceError } from '@joblisting/contracts';
import type { Addresses } from '../addresses.ts';
import { JSON_TYPE } from '../errors/accept.ts';
import { problemOf } from '../errors/problem.ts';

interface Unreadable {
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
}

const NOT_HTTP: Unreadable = { status: 400, reason: 'Bad Request', detail: 'This is not valid HTTP/1.1.' };
const known: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    detail: 'The request target and the header fields are larger than 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    detail: 'The request did not arrive in time.',
  },
};

/** Answers what node's parser could not make a request of, in the shape of every other error, and hangs up. */
export function answerUnreadable(addresses: Addresses, newRequestId: () => string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, reason, detail } = known[error.code ?? ''] ?? NOT_HTTP;
    const requestId = newRequestId();
    const occurrence = { instance: '', requestId, status };
    const body = JSON.stringify(problemOf(new ServiceError('bad_request', detail), occurrence, addresses));
    const head = [
      `HTTP/1.1 ${status} ${reason}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Access-Control-Allow-Origin: *',
      'Connection: close',
    ].join('\r\n');
    socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
  };
}
