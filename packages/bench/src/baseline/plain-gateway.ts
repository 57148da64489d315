// The gateway of the plain bus: forwards requests over NATS, and the bytes of the replies.
import { fastify, type FastifyReply } from 'fastify';
import { connect, type Msg } from 'nats';

const { NATS_URL = '', PORT = '0', SUBJECTS = 'plain' } = process.env;
const TIMEOUT_MS = 2500;

const bus = await connect({ servers: NATS_URL });
const server = fastify({ logger: false });
const encoder = new TextEncoder();

server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);

async function request(operation: string, payload: Uint8Array | string): Promise<Msg> {
  const bytes = typeof payload === 'string' ? encoder.encode(payload) : payload;
  return bus.request(`${SUBJECTS}.${operation}`, bytes, { timeout: TIMEOUT_MS });
}

const answer = (reply: FastifyReply, status: number, { data }: Msg): FastifyReply =>
  reply.code(status).type('application/json; charset=utf-8').send(data);

server.get<{ Params: { id: string } }>('/jobs/:id', async ({ params }, reply) =>
  answer(reply, 200, await request('get', params.id)),
);
server.get('/jobs', async ({ query }, reply) =>
  answer(reply, 200, await request('list', JSON.stringify(query))),
);
server.post('/jobs', async ({ body }, reply) => answer(reply, 201, await request('create', body as Buffer)));
server.put<{ Params: { id: string } }>('/jobs/:id', async ({ params, body }, reply) =>
  answer(reply, 200, await request(`update.${params.id}`, body as Buffer)),
);
server.get('/readyz', async (_request, reply) => reply.code(200).send((await request('ready', '')).data));

await server.listen({ host: '127.0.0.1', port: Number(PORT) });
