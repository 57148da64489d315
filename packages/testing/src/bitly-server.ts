import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { sequence } from './deterministic.ts';

/**
 * How the server treats calls: `fine` executes them; `mute` executes them without an answer; `hang` does nothing;
 * `stall` sends half a body; `drop` closes the connection; `limited` and `plan-limited` answer that the limit of the
 * hour or the month is reached; an object is the answer to send.
 */
export type BitlyBehaviour =
  | 'fine'
  | 'mute'
  | 'hang'
  | 'stall'
  | 'drop'
  | keyof typeof limits
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

export type BitlyOperation = 'shorten' | 'remove';

export interface BitlyCall {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A server with the part of bitly's API, version 4, that creates and deletes links. */
export type BitlyServer = Awaited<ReturnType<typeof startBitlyServer>>;

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** Bitly reports a limit by 403 and this header, without Retry-After. */
const limitOf = (message: string, reason: string) => ({
  status: 403,
  headers: { 'content-type': 'application/json', 'x-ratelimit-reason': reason },
  body: JSON.stringify({ message, resource: 'bitlinks', description: 'A limit is reached.' }),
});

const limits = {
  limited: limitOf('RATE_LIMIT_EXCEEDED', 'hourly limit'),
  'plan-limited': limitOf('MONTHLY_RATE_LIMIT_EXCEEDED', 'monthly limit'),
};

const TOKEN = 'a-token-for-tests';
const GROUP = 'Bg7eeyGfPwx';

/** Starts the server on a free port of loopback. */
export async function startBitlyServer() {
  const links = new Map<string, string>();
  const calls: BitlyCall[] = [];
  const behaviours: Record<BitlyOperation, BitlyBehaviour> = { shorten: 'fine', remove: 'fine' };
  let connections = 0;
  const nextHash = sequence(0x100000);

  const shorten = (body: string): Answer => {
    const { long_url: longUrl, domain = 'bit.ly', group_guid: group = GROUP } = fieldsOf(body);
    if (typeof longUrl !== 'string' || !/^https?:\/\/./.test(longUrl)) return invalid('long_url');
    if (typeof domain !== 'string') return invalid('domain');
    const known = [...links].find(([id, url]) => url === longUrl && id.startsWith(`${domain}/`));
    const id = known?.[0] ?? `${domain}/${nextHash().toString(36)}`;
    links.set(id, longUrl);
    return { status: known ? 200 : 201, body: bitlink(id, longUrl, String(group)) };
  };

  const remove = (id: string): Answer =>
    links.delete(id) ? { status: 200, body: { links_deleted: [{ id }] } } : refusal(404, 'NOT_FOUND');

  const perform = (call: BitlyCall): Answer => {
    if (call.authorization !== `Bearer ${TOKEN}`) return refusal(403, 'FORBIDDEN');
    if (call.method === 'POST' && call.path === '/v4/shorten') return shorten(call.body);
    const id = /^\/v4\/bitlinks\/([^/]+\/[^/]+)$/.exec(call.path)?.[1];
    return call.method === 'DELETE' && id !== undefined ? remove(id) : refusal(404, 'NOT_FOUND');
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, authorization: headers.authorization, body: await text(request) };
    calls.push(call);
    const chosen = behaviours[method === 'DELETE' ? 'remove' : 'shorten'];
    const behaviour = chosen === 'limited' || chosen === 'plan-limited' ? limits[chosen] : chosen;
    if (behaviour === 'hang') return;
    if (behaviour === 'drop') {
      request.socket.destroy();
    } else if (behaviour === 'stall') {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"link":"https://bit.ly/');
    } else if (typeof behaviour === 'object') {
      response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
    } else {
      const { status, body } = perform(call);
      if (behaviour === 'fine')
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  server.on('connection', () => connections++);
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  };
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const port = await listen(0);

  return {
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    /** The target of each link, by `<domain>/<hash>`. */
    links,
    /** Every call, in order of arrival. */
    calls,
    /** How many connections clients have opened. */
    connections: (): number => connections,
    /** Sets the behaviour for one operation, by default for both. */
    behave: (behaviour: BitlyBehaviour, operation?: BitlyOperation): void => {
      if (operation !== 'remove') behaviours.shorten = behaviour;
      if (operation !== 'shorten') behaviours.remove = behaviour;
    },
    /** Refuses connections until `comeBack`. */
    goAway: close,
    comeBack: async (): Promise<void> => void (await listen(port)),
    stop: close,
  };
}

function fieldsOf(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const bitlink = (id: string, longUrl: string, group: string) => ({
  created_at: '2026-03-01T12:00:00+0000',
  id,
  link: `https://${id}`,
  custom_bitlinks: [],
  long_url: longUrl,
  archived: false,
  tags: [],
  deeplinks: [],
  references: { group: `https://api-ssl.bitly.com/v4/groups/${group}` },
});

const refusal = (status: number, message: string): Answer => ({
  status,
  body: { message, resource: 'bitlinks', description: 'A description.' },
});

const invalid = (field: string): Answer => ({
  status: 400,
  body: {
    message: `INVALID_ARG_${field.toUpperCase()}`,
    resource: 'bitlinks',
    description: 'The value provided is invalid.',
    errors: [{ field, error_code: 'invalid' }],
  },
});
