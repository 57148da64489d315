import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { WebhookMessage } from '@joblisting/contracts';
import type { Certificates } from '@joblisting/testing';

/** What a receiver got. */
export interface Received {
  readonly headers: IncomingHttpHeaders & Record<string, string>;
  readonly body: string;
  readonly message: WebhookMessage;
  readonly jobId: number;
  readonly version: number;
}

/** A status, or whatever is done with the response. */
type Answer = number | ((response: ServerResponse, received: Received) => void);

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

interface Options {
  readonly host?: string;
  readonly port?: number;
  readonly tls?: Certificates;
}

/** A server that events are sent to. It answers 204 unless told otherwise. */
export async function startReceiver({ host = '127.0.0.1', port = 0, tls }: Options = {}) {
  const received: Received[] = [];
  let answer: (received: Received) => Answer = () => 204;
  const onRequest = (
    request: AsyncIterable<Buffer> & { headers: IncomingHttpHeaders },
    response: ServerResponse,
  ) => {
    void (async () => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const message = JSON.parse(body) as WebhookMessage;
      const { job } = message.data;
      const one = {
        headers: request.headers as Received['headers'],
        body,
        message,
        jobId: job?.id ?? 0,
        version: job?.version ?? 0,
      };
      received.push(one);
      const reply = answer(one);
      if (typeof reply === 'number') response.writeHead(reply).end();
      else reply(response, one);
    })();
  };
  const server = tls
    ? createTlsServer({ key: tls.key, cert: tls.certificate }, onRequest)
    : createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    received,
    port: bound,
    url: `http${tls ? 's' : ''}://${host}:${bound}/hooks?from=jobs`,
    answers: (next: typeof answer) => {
      answer = next;
    },
    /** The versions that came of a job, in order of their coming. */
    versionsOf: (jobId: number) =>
      received.filter((one) => one.jobId === jobId).map(({ version }) => version),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
