import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { productVersion } from './version.ts';

export interface Health {
  readonly close: () => Promise<void>;
}

/** Resolves to why the service cannot work now; undefined when it can. */
type Readiness = () => Promise<string | undefined>;

/**
 * Serves `/healthz` (the process lives, and which version it is), `/readyz` (it can do its work now; 503 with the reason when it cannot) and
 * `/metrics` (for Prometheus) to those who run the service.
 */
export async function serveHealth(
  { host, port }: { readonly host: string; readonly port: number },
  notReady: Readiness,
  metrics: Registry,
): Promise<Health> {
  const server: Server = createServer((request, response) => {
    const reply = (status: number, body: object) => {
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(body));
    };
    if (request.url === '/healthz') return reply(200, { status: 'live', version: productVersion });
    if (request.url === '/metrics') return void sendMetrics(metrics, response);
    if (request.url !== '/readyz') return reply(404, { status: 'unknown' });
    void notReady().then((reason) =>
      reason === undefined ? reply(200, { status: 'ready' }) : reply(503, { status: 'not ready', reason }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function sendMetrics(metrics: Registry, response: ServerResponse): Promise<void> {
  try {
    const text = await metrics.metrics();
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
  } catch (error) {
    response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error));
  }
}
