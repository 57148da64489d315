import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OTLP collector over HTTP that discards everything. */
export interface TraceSink {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export async function startTraceSink(): Promise<TraceSink> {
  const server = createServer((request, response) => {
    request
      .resume()
      .once('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
