import { randomBytes, randomUUID } from 'node:crypto';
import { crc32, gzipSync } from 'node:zlib';
import { keyPrefixes } from '@joblisting/contracts';
import { inParallel } from '@joblisting/testing';
import { jobBody, requestsTo } from '@joblisting/testing/system';
import { sized } from '../figures.ts';
import {
  type Attack,
  type AttackContext,
  burst,
  flood,
  holdSlowly,
  keepOpen,
  leaveAlone,
  pipeline,
  REOPEN_MS,
  type Stop,
} from './flood.ts';
import { FORM_TYPE, hostileForms } from './hostile-forms.ts';
import { createJob } from './jobs.ts';
import { slownesses } from './slow.ts';
import { startWorkers } from './workers.ts';

const MEBI = 2 ** 20;
/** Leaves room for the other properties in a body of 4 MiB. */
const LARGE = { description: 'x'.repeat(4 * MEBI - 1000) };
const JOBS_IN_LIST = { ci: 100, full: 1000 };
/** The default of the gateway's MAX_CONNECTIONS; fewer at ci scale, because opening them takes seconds. */
const IDLE_CONNECTIONS = { ci: 1000, full: 10_000 };
/** Faster, reopening them would take more CPU of the attacker than of the server. */
const REOPEN_IDLE_MS = 2000;
const REOPEN_AT_ONCE_MS = 10;
const PIPELINES = { ci: 20, full: 120 };
/** The default of the gateway's MAX_CONNECTIONS_PER_ADDRESS. */
const MANY_CONNECTIONS = { ci: 300, full: 900 };
const CHUNKS = 200_000;
const LINK = "<a href='http://a'>";
/** Sorting these by their combining classes, which NFC has to do, is quadratic. */
const COMBINING = `a${'\u0301'.repeat(100_000)}${'\u0316'.repeat(100_000)}`;

/** Clients that take more than their share. */
export const attackers: Readonly<Record<string, Attack>> = {
  nobody: () => () => undefined,
  'lists of 1,000': async (context) => {
    const { world, requests } = context;
    const jobs = times(sized(context, JOBS_IN_LIST), (index) => ({ title: `Title ${index}` }));
    await inParallel(jobs, 16, async (job) => void (await createJob(world, job)));
    return flood(context, 64, always(requests.get(`/v1.0/jobs?company.id=${world.companyId}&pageSize=1000`)));
  },
  'posts of 4 MB': (context) => flood(context, 16, always(postJob(context, LARGE))),
  'readers of a 4 MB job': async (context) => flood(context, 60, always(await getJob(context, LARGE))),
  'slow writers': (context) => holdSlowly(context, 200, slownesses(context.origin, context.world.keys)),
  'slow readers': async (context) => {
    const { origin, world } = context;
    const large = `/v1.0/jobs/${await createJob(world, LARGE)}`;
    const kinds = slownesses(origin, world.keys, [
      { name: 'the API description', path: '/openapi.json', bytes: MEBI / 8, oneOf: 1 },
      { name: 'a large job', path: large, bytes: 4 * MEBI, oneOf: 1 },
    ]);
    const unread = kinds.filter(({ unreadBytes }) => unreadBytes > 0);
    return holdSlowly(context, 40, unread);
  },
  'idle connections': (context) =>
    keepOpen(context, sized(context, IDLE_CONNECTIONS), REOPEN_IDLE_MS, (socket) => {
      context.count('idle');
      // After a first request the longer time-out for idle connections holds.
      socket.resume().write(context.requests.get('/healthz'));
    }),
  'opened and closed connections': (context) =>
    keepOpen(context, 300, REOPEN_AT_ONCE_MS, (socket) => {
      context.count('closed');
      socket.destroy();
    }),
  '304s': async (context) => {
    const { world, requests } = context;
    const path = `/jobs/${await createJob(world)}`;
    const tag = (await world.api.get(path)).headers.get('etag');
    return flood(context, 64, always(withHeader(requests.get(`/v1.0${path}`), 'If-None-Match', String(tag))));
  },
  'Idempotency-Keys': (context) => {
    const request = postJob(context, {});
    return flood(context, 32, () => withHeader(request, 'Idempotency-Key', randomUUID()));
  },
  'new category names': (context) =>
    flood(context, 32, () => postJob(context, { categories: times(5, () => ({ name: randomUUID() })) })),
  'batches of 1,000 events': async (context) => {
    const { world, origin } = context;
    const jobId = await createJob(world);
    const { post } = requestsTo(origin, world.metricsKeys);
    return flood(context, 16, () => {
      const events = times(1000, () => ({ id: randomUUID(), jobId, type: 'view' }));
      return post('/v1.0/metrics/events', JSON.stringify({ events }));
    });
  },
  'unknown keys': (context) => wrongKeys(context, unknownKey),
  'malformed keys': (context) => wrongKeys(context, (prefix) => prefix + randomUUID()),
  'compressed bodies': ({ world, count }) => {
    const raw = new Uint8Array(gzipSync(Buffer.alloc(64 * MEBI)));
    const headers = { 'Content-Encoding': 'gzip', 'Accept-Encoding': 'gzip;q=0.1, '.repeat(500) };
    return startWorkers(16, async () => {
      // The connection may close while a rejected body is sent.
      const answer = await world.api.send('/jobs', { method: 'POST', raw, headers }).catch(() => undefined);
      count(answer?.status ?? 0);
    }).stop;
  },
  'combining marks': (context) => {
    const category = { name: COMBINING, company: { id: context.world.companyId } };
    const requests = [
      postJob(context, { categories: [{ name: COMBINING }] }),
      postJob(context, { title: COMBINING, city: COMBINING }),
      context.requests.post('/v1.0/jobcategories', JSON.stringify(category)),
    ];
    let sent = 0;
    return flood(context, 8, () => requests[sent++ % requests.length] as string);
  },
  'public lists': (context) => flood(context, 150, always(anonymous(context, '/v1.0/countries'))),
  'bursts of readyz': (context) => burst(context, sized(context, PIPELINES), anonymous(context, '/readyz')),
  'readyz on 900 connections': (context) =>
    flood(context, sized(context, MANY_CONNECTIONS), always(anonymous(context, '/readyz'))),
  'GET job on 900 connections': async (context) =>
    flood(context, sized(context, MANY_CONNECTIONS), always(await getJob(context))),
  'unfinished bodies': (context) =>
    leaveAlone(context, 100, context.requests.post('/v1.0/jobs', LARGE.description).slice(0, -1)),
  'unread docs': (context) => leaveAlone(context, 400, anonymous(context, '/docs/scalar.js').repeat(8)),
  'guides as Markdown': (context) => flood(context, 64, always(anonymous(context, '/docs/sync.md'))),
  'bodies in chunks of one byte': (context) => flood(context, 32, always(inChunks(context))),
  'chunks of one byte after the answer': (context) => {
    const head = chunked(anonymous(context, '/healthz'));
    return keepOpen(context, 100, REOPEN_MS, (socket) => {
      context.count('opened');
      const write = (): void => {
        if (!socket.destroyed) socket.write(ONE_BYTE.repeat(10_000), () => setImmediate(write));
      };
      socket.resume().write(head, write);
    });
  },
  'small chunks that wait': (context) =>
    leaveAlone(
      context,
      sized(context, MANY_CONNECTIONS),
      chunked(anonymous(context, '/v1.0/countries')) + ONE_BYTE.repeat(1000),
    ),
  'heads of many fields': (context) => {
    const fields = Array.from({ length: 900 }, (_, index) => `a${index}: b`).join('\r\n');
    const request = anonymous(context, '/readyz').replace('\r\n', () => `\r\n${fields}\r\n`);
    return leaveAlone(context, 300, request.repeat(10));
  },
  'unread style sheets': (context) =>
    leaveAlone(context, 800, anonymous(context, '/docs/style.css').repeat(14)),
  'forms of 6 MB': async (context) => {
    const forms = hostileForms();
    const path = `/v1.0/jobs/${await createJob(context.world)}/applications`;
    let sent = 0;
    return flood(context, 16, () =>
      context.requests.postBytes(path, forms[sent++ % forms.length] as Uint8Array, FORM_TYPE),
    );
  },
  'html of links': (context) =>
    flood(
      context,
      64,
      always(postJob(context, { descriptionFormat: 'html', description: LINK.repeat(3400) })),
    ),
  'pipelined readyz': (context) => pipelined(context, anonymous(context, '/readyz')),
  'pipelined readyz with long heads': (context) =>
    pipelined(context, withHeader(anonymous(context, '/readyz'), 'X-Long', 'x'.repeat(15_000))),
  'pipelined docs': (context) => pipelined(context, anonymous(context, '/docs/scalar.js')),
  'pipelined GET job': async (context) => pipelined(context, await getJob(context)),
  'pipelined GET job without keys': (context) => pipelined(context, anonymous(context, '/v1.0/jobs/1')),
};

const always = (request: string) => (): string => request;

const anonymous = ({ origin }: AttackContext, path: string): string => requestsTo(origin).get(path);

const getJob = async ({ world, requests }: AttackContext, overrides = {}): Promise<string> =>
  requests.get(`/v1.0/jobs/${await createJob(world, overrides)}`);

const postJob = ({ world, requests }: AttackContext, overrides: Record<string, unknown>): string =>
  requests.post('/v1.0/jobs', JSON.stringify(jobBody(world.companyId, overrides)));

const ONE_BYTE = '1\r\n \r\n';

const chunked = (request: string): string =>
  withHeader(request.replace('Content-Length: 0\r\n', ''), 'Transfer-Encoding', 'chunked');

const inChunks = ({ requests }: AttackContext): string =>
  `${chunked(requests.post('/v1.0/jobs', ''))}${ONE_BYTE.repeat(CHUNKS)}0\r\n\r\n`;

const pipelined = (context: AttackContext, request: string): Stop =>
  pipeline(context, sized(context, PIPELINES), request);

type Prefix = (typeof keyPrefixes)[keyof typeof keyPrefixes];

/** Requests with keys that no request had before. */
function wrongKeys(context: AttackContext, key: (prefix: Prefix) => string): Stop {
  const keys = () => ({ consumer: key(keyPrefixes.consumer), user: key(keyPrefixes.user) });
  return flood(context, 150, () => requestsTo(context.origin, keys()).get('/v1.0/jobs/1'));
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A key that nobody has issued, with the right checksum: CRC-32 in six digits of base62. */
function unknownKey(prefix: Prefix): string {
  const checked = prefix + randomBytes(16).toString('hex');
  const checksum = times(6, (place) => DIGITS.charAt(Math.floor(crc32(checked) / 62 ** (5 - place)) % 62));
  return checked + checksum.join('');
}

const withHeader = (request: string, name: string, value: string): string =>
  request.replace('\r\n', () => `\r\n${name}: ${value}\r\n`);

const times = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));
