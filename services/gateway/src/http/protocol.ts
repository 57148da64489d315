import type { Socket } from 'node:net';
import { ServiceError } from '@joblisting/contracts';
import type { Log, Metrics } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';
import type { Addresses } from '../addresses.ts';
import { JSON_TYPE } from './headers.ts';
import { problemOf } from './problem.ts';

/** Refuses what node lets through and RFC 9112 does not. Such a connection is closed. */
export function refuseProtocolErrors(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw }, reply, done) => {
    const detail = protocolErrorOf(raw.httpVersionMajor, raw.headers.host);
    if (detail === undefined) return done();
    reply.header('Connection', 'close');
    return done(new ServiceError('bad_request', detail));
  });
  // A server may ignore an expectation other than 100-continue (RFC 9110, section 10.1.1); node answers a bare 417.
  server.server.on('checkExpectation', (request, response) => {
    server.server.emit('request', request, response);
  });
}

function protocolErrorOf(majorVersion: number, host: string | undefined): string | undefined {
  // A line without a version is HTTP/0.9 to node: nobody knows where it ends (RFC 9112, appendix C.1).
  if (majorVersion === 0) return 'This is not valid HTTP/1.1.';
  // Two proxies may route a request with two Host headers to two places (RFC 9112, section 3.2). Node has joined them.
  return host?.includes(',') ? 'A request names one host.' : undefined;
}

interface ParserError {
  readonly status: number;
  readonly phrase: string;
  readonly detail: string;
}

const NOT_HTTP: ParserError = { status: 400, phrase: 'Bad Request', detail: 'This is not valid HTTP/1.1.' };
const parserErrors: Readonly<Record<string, ParserError>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    detail:
      'The request target and the header fields are larger than 16 KiB, or there are more than 100 fields.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    phrase: 'Request Timeout',
    detail: 'The request did not arrive in time.',
  },
};

/** A request that node's parser refused: no route, no keys and no request line. */
interface UnparsedRequest {
  readonly requestId: string;
  readonly clientAddress: string | undefined;
  readonly status: number;
  /** Node's error code. */
  readonly error: string | undefined;
}

const LINE_EVERY_MS = 1000;

/** Counts unparsed requests, and logs one a second at most: garbage costs nothing to send. */
export function reportUnparsed(metrics: Metrics, log: Log, monotonic: () => number) {
  const unparsed = metrics.counter({
    name: 'http_server_unparsed_requests_total',
    help: 'Requests that are not valid HTTP, too large a head, or too slow, by status.',
    labelNames: ['status'],
  });
  let nextLineAt = -Infinity;
  let suppressed = 0;

  return (request: UnparsedRequest): void => {
    unparsed.inc({ status: request.status });
    const now = monotonic();
    if (now < nextLineAt) {
      suppressed++;
      return;
    }
    log.info({ ...request, suppressed }, 'unparsed request');
    nextLineAt = now + LINE_EVERY_MS;
    suppressed = 0;
  };
}

/** Fastify's `clientErrorHandler`: answers what node's parser refused like every other error, and hangs up. */
export function answerParserErrors(
  addresses: Addresses,
  newRequestId: () => string,
  report: (request: UnparsedRequest) => void,
) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, phrase, detail } = parserErrors[error.code ?? ''] ?? NOT_HTTP;
    const requestId = newRequestId();
    report({ requestId, clientAddress: socket.remoteAddress, status, error: error.code });
    const occurrence = { instance: '', requestId, status };
    const body = JSON.stringify(problemOf(new ServiceError('bad_request', detail), occurrence, addresses));
    const head = [
      `HTTP/1.1 ${status} ${phrase}`,
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
