import { createServer, type Server } from 'node:http';

export interface Health {
  readonly close: () => Promise<void>;
}

/** Says why the service cannot work now, or nothing when it can. */
export type Readiness = () => Promise<string | undefined>;

/** `/healthz`: the process lives. `/readyz`: it can do its work now; 503 with the reason when it cannot. */
export async function serveHealth(host: string, port: number, notReady: Readiness): Promise<Health> {
  const server: Server = createServer((request, response) => {
    const reply = (status: number, body: object) => {
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(body));
    };
    if (request.url === '/healthz') return reply(200, { status: 'live' });
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
