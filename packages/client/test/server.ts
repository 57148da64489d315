import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createClient } from '../src/index.ts';
import type { ClientOptions, JobListingError, NewJob } from '../src/index.ts';

/** An answer, or what happens in place of one. */
export type Reaction =
  | { readonly status: number; readonly headers?: object; readonly body?: unknown }
  | 'hangs'
  | 'breaks'
  | 'breaks in the body';

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that misbehaves as told, one reaction for each request; then it answers 200. */
export async function startServer() {
  const reactions: Reaction[] = [];
  const received: Received[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await buffer(request);
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: bytes.toString('latin1') });
    const reaction = reactions.shift() ?? {
      status: 200,
      body: { data: { id: 1 }, paging: { next: null }, warnings: [] },
    };
    if (reaction === 'breaks') request.socket.destroy();
    else if (reaction === 'breaks in the body') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"data":', () => request.socket.destroy());
    } else if (reaction !== 'hangs') {
      const { status, headers: more = {}, body } = reaction;
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    }
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    reactions,
    received,
    client: (options: Partial<ClientOptions> = {}) => createClient({ baseUrl, ...options }),
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export const job: NewJob = {
  company: { id: 1 },
  title: 'Gardener',
  publishDate: '2026-01-15',
  description: 'Roses.',
  applicantRoutingType: { id: 1 },
};
export const busy: Reaction = { status: 503, headers: { 'retry-after': '0' }, body: { code: 'overloaded' } };
export const failureOf = (promise: Promise<unknown>): Promise<JobListingError> =>
  promise.then(
    () => {
      throw new Error('The request succeeded.');
    },
    (error: JobListingError) => error,
  );
