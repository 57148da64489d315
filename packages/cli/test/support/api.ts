import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface StoredJob {
  readonly id: number;
  version: number;
  fields: Record<string, unknown>;
}

/** A full sync: the bodies that started and ended it, and the referenceIds that were sent. */
export interface SentSync {
  readonly start: object;
  readonly references: Set<string>;
  commit: object | undefined;
}

/** Instead of the normal answer: another status, or a broken connection before or after the write. */
export type Fault = { status: number; retryAfter?: string } | 'lost request' | 'lost answer';

export interface TestApi {
  readonly baseUrl: string;
  readonly jobs: Map<string, StoredJob>;
  readonly syncs: SentSync[];
  readonly requests: string[];
  /** The highest number of concurrent requests. */
  readonly peak: () => number;
  /** Replace the next answers to PUT. */
  readonly faults: Fault[];
  /** Lists are empty, as if all jobs were created since. */
  hidesJobsInLists: boolean;
  /** Called before each PUT. */
  onPut: (() => void) | undefined;
  readonly stop: () => Promise<void>;
}

const KEYS = { 'consumer-api-key': 'jlc_test', 'user-api-key': 'jlu_test' };
const READ_ONLY_FIELDS = {
  categories: [],
  applicationEmails: [],
  status: { id: 1, name: 'Published' },
  viewCount: 0,
};

/** Stands in for the public API: lists, jobs, ETags, errors, faults. */
export async function startApi(): Promise<TestApi> {
  let inFlight = 0;
  let peak = 0;
  const api: Omit<TestApi, 'baseUrl' | 'stop'> = {
    jobs: new Map(),
    syncs: [],
    requests: [],
    faults: [],
    peak: () => peak,
    hidesJobsInLists: false,
    onPut: undefined,
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    inFlight += 1;
    peak = Math.max(peak, inFlight);
    try {
      await answer(api, request, response);
    } finally {
      inFlight -= 1;
    }
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(api, {
    baseUrl: `http://127.0.0.1:${port}/v1.0`,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

async function answer(
  api: Omit<TestApi, 'baseUrl' | 'stop'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = request;
  api.requests.push(`${method} ${url}`);
  const body = await text(request);
  if (Object.entries(KEYS).some(([name, key]) => headers[name] !== key))
    return send(response, 401, problem(401, 'unauthenticated', 'The API keys are missing or invalid.'));
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (method === 'GET' && pathname === '/v1.0/jobs') return list(api, searchParams, response);
  if (method === 'GET') return sendJob(response, 200, findById(api, Number(pathname.split('/').at(-1))));
  if (pathname.startsWith('/v1.0/syncs')) return sync(api, pathname, JSON.parse(body), response);
  const fault = api.faults.shift();
  if (fault === 'lost request') return void request.socket.destroy();
  if (typeof fault === 'object')
    return send(response, fault.status, problem(fault.status, 'unavailable', 'Later.'), {
      ...(fault.retryAfter !== undefined && { 'retry-after': fault.retryAfter }),
    });
  api.onPut?.();
  // A dry run judges a copy. Its answer has no ETag.
  const isDryRun = searchParams.get('dryRun') === 'true';
  const result = put(isDryRun ? structuredClone({ jobs: api.jobs }) : api, JSON.parse(body));
  if (fault === 'lost answer') return void request.socket.destroy();
  return 'errors' in result
    ? send(response, 422, problem(422, 'validation_failed', 'Rules are broken.', result.errors))
    : sendJob(response, result.status, result.job, isDryRun);
}

function put(
  { jobs }: Pick<TestApi, 'jobs'>,
  body: Record<string, unknown>,
): { errors: object[] } | { status: number; job: StoredJob } {
  const errors = violations(body);
  if (errors.length > 0) return { errors };
  const reference = String(body['referenceId']);
  const job = jobs.get(reference);
  if (job === undefined) {
    const created = { id: jobs.size + 1, version: 1, fields: toJob(body) };
    jobs.set(reference, created);
    return { status: 201, job: created };
  }
  const fields = { ...job.fields, ...toJob(body) };
  if (JSON.stringify(fields) !== JSON.stringify(job.fields)) job.version += 1;
  job.fields = fields;
  return { status: 200, job };
}

interface SyncBody {
  readonly items: Record<string, unknown>[];
  readonly expectedCount: number;
}

function sync(
  api: Pick<TestApi, 'jobs' | 'syncs'>,
  pathname: string,
  body: SyncBody,
  response: ServerResponse,
): void {
  const [, , , id, action] = pathname.split('/');
  const started = api.syncs[Number(id) - 1];
  if (started === undefined) {
    const data = { id: api.syncs.push({ start: body, references: new Set(), commit: undefined }) };
    return send(response, 201, { data, warnings: [] });
  }
  if (action === 'items') {
    const data = body.items.map((item, index) => {
      started.references.add(String(item['referenceId']));
      const result = put(api, item);
      if ('errors' in result) return { index, status: 422 };
      return { index, status: result.status, outcome: result.status === 201 ? 'created' : 'updated' };
    });
    return send(response, 200, { data, warnings: [] });
  }
  started.commit = body;
  const { size } = started.references;
  const detail = `${size} different referenceIds were sent.`;
  const errors = [{ pointer: '#/expectedCount', code: 'mismatch', detail }];
  if (body.expectedCount !== size)
    return send(response, 409, problem(409, 'sync_refused', 'Not as expected.', errors));
  const data = { id: Number(id), state: 'committed', closed: 0, deleted: 0, kept: 0, leftAlone: 0 };
  return send(response, 200, { data, warnings: [] });
}

/** The job as the API returns it. */
function toJob(body: Record<string, unknown>): Record<string, unknown> {
  const province = body['province'] as { id?: number; country?: object } | null;
  return {
    ...body,
    ...READ_ONLY_FIELDS,
    title: String(body['title']).trim(),
    province: province && { id: null, name: null, country: { id: 840 }, ...province },
    types: (body['types'] as { id: number }[]).map(({ id }) => ({ id, name: 'Some type' })),
  };
}

function violations(body: Record<string, unknown>): object[] {
  const errors: object[] = [];
  const fault = (pointer: string, code: string, detail: string): void =>
    void errors.push({ pointer, code, detail });
  if (String(body['employer']).length > 50) fault('#/employer', 'too_long', 'At most 50 characters.');
  if (body['title'] === undefined) fault('#/title', 'required', 'A job needs a title.');
  if (/<(?!\/?(strong|b|em|i|br|p|div|ul|ol|li|a)>)/u.test(String(body['description'])))
    fault('#/description', 'html_tag', 'This tag is not allowed.');
  return errors;
}

function list(
  { jobs, hidesJobsInLists }: Pick<TestApi, 'jobs' | 'hidesJobsInLists'>,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const [page, pageSize] = [Number(query.get('page')), Number(query.get('pageSize'))];
  const headers = (hidesJobsInLists ? [] : [...jobs]).map(([referenceId, { id }]) => ({ id, referenceId }));
  const pages = Math.ceil(jobs.size / pageSize);
  const next = page < pages ? `http://localhost/v1.0/jobs?page=${page + 1}` : null;
  const paging = { total: jobs.size, pageSize, page, pages, previous: null, next };
  const data = headers.slice((page - 1) * pageSize, page * pageSize);
  send(response, 200, { paging, data, warnings: [] });
}

function findById({ jobs }: Pick<TestApi, 'jobs'>, id: number): StoredJob | undefined {
  return [...jobs.values()].find((job) => job.id === id);
}

function sendJob(
  response: ServerResponse,
  status: number,
  job: StoredJob | undefined,
  isDryRun = false,
): void {
  if (job === undefined) return send(response, 404, problem(404, 'job_not_found', 'No such job.'));
  const data = { ...job.fields, id: job.id };
  return send(response, status, { data, warnings: [] }, isDryRun ? {} : { etag: `"${job.version}-abc"` });
}

function problem(status: number, code: string, detail: string, errors: object[] = []): object {
  return { data: null, warnings: [], status, code, title: code, detail, requestId: 'r-1', errors };
}

function send(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}
