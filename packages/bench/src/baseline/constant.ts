// A server of constants with the gateway's plugins and logging: the lowest possible cost of a public answer.
import { readFileSync } from 'node:fs';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { fastify } from 'fastify';
import { pino } from 'pino';

/** `ANSWERS` is a JSON file with the answer of each path: `[path, body][]`. */
const { PORT = '0', ANSWERS = '' } = process.env;
const answers = JSON.parse(readFileSync(ANSWERS, 'utf8')) as [path: string, body: string][];

const log = pino({ level: 'info', base: { service: 'constant', pid: process.pid } });
const server = fastify({ logger: false });
await server.register(helmet, {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } },
});
await server.register(cors, { origin: '*' });

server.addHook('onRequest', async (request, reply) => {
  const since = performance.now();
  reply.raw.once('close', () => {
    const { id: requestId, method, url: path } = request;
    log.info(
      { requestId, method, path, status: reply.statusCode, durationMs: performance.now() - since },
      'request',
    );
  });
});

const bodies = new Map(answers.map(([path, body]) => [path, Buffer.from(body)]));
const etag = '"1-AAAAAAAAAAAAAAAA"';
server.get('/*', async ({ url }, reply) =>
  reply
    .header('Cache-Control', 'public, no-cache')
    .header('ETag', etag)
    .type('application/json; charset=utf-8')
    .send(bodies.get(url) ?? ''),
);

await server.listen({ host: '127.0.0.1', port: Number(PORT) });
