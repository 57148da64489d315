import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { MetricsBatch, NewApplication, type Violation } from '@joblisting/contracts';
import { compileBody } from '@joblisting/service-kit';

/** How the server treats requests: `mute` executes them without an answer. */
type Behaviour =
  | 'fine'
  | 'mute'
  | { readonly status: number; readonly code?: string; readonly retryAfter?: number };

export interface SentApplication {
  readonly jobId: number;
  readonly key: string;
  readonly application: NewApplication;
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
}

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly retryAfter?: number;
}

export type ApiServer = Awaited<ReturnType<typeof startApiServer>>;

export const KEY = 'jc_a-consumer-key-for-tests';

const applicationShape = compileBody(NewApplication);
const batchShape = compileBody(MetricsBatch);

const problem = (status: number, code: string, errors?: readonly Violation[]): Answer => ({
  status,
  body: { code, title: code, detail: `Refused: ${code}.`, ...(errors && { errors }) },
});

/** Stands in for the API's two operations that the site uses. It accepts only what their contracts allow. */
export async function startApiServer() {
  const applications: SentApplication[] = [];
  /** How often each event came. */
  const events = new Map<string, { type: string; jobId: number; at: string; times: number }>();
  const batches: number[] = [];
  const unknownJobs = new Set<number>();
  /** What was wrong with requests that no client of the API may send. */
  const faults: string[] = [];
  let requests = 0;
  let behaviour: Behaviour = 'fine';
  let beforeAnswer = async (): Promise<void> => undefined;

  const apply = async (jobId: number, request: IncomingMessage, body: Buffer): Promise<Answer> => {
    const { headers } = request;
    const key = String(headers['idempotency-key'] ?? '');
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) return problem(400, 'invalid_idempotency_key');
    const { application, files } = await submissionOf(String(headers['content-type']), body);
    const unknown = applicationShape.unknownFields(application);
    if (unknown.length > 0) faults.push(`unknown fields: ${JSON.stringify(unknown)}`);
    const violations = applicationShape.check(application);
    for (const [index, { bytes }] of files.entries()) {
      const isPdf = bytes.subarray(0, 5).toString() === '%PDF-';
      if (!isPdf) violations.push({ pointer: `#/files/${index}`, code: 'file_type', detail: 'Not a PDF.' });
    }
    if (violations.length > 0) return problem(422, 'validation_failed', violations);
    const sent = { jobId, key, application, files };
    const before = applications.find((one) => one.jobId === jobId && one.key === key);
    if (before && JSON.stringify(before) !== JSON.stringify(sent))
      return problem(422, 'idempotency_key_reused');
    if (!before) applications.push(sent);
    const data = { id: 1, files: files.map(({ name }, id) => ({ id, name })) };
    return { status: 201, body: { data, warnings: [] } };
  };

  const record = (body: Buffer): Answer => {
    const batch = JSON.parse(body.toString()) as MetricsBatch;
    const violations = batchShape.check(batch);
    if (violations.length > 0) return problem(422, 'validation_failed', violations);
    faults.push(...batchShape.unknownFields(batch).map(({ detail }) => detail));
    batches.push(batch.events.length);
    const rejected = batch.events.flatMap(({ jobId }, index) =>
      unknownJobs.has(jobId) ? [{ index, code: 'unknown_job', detail: 'Unknown.' }] : [],
    );
    let duplicates = 0;
    for (const { id, jobId, type, at = '' } of batch.events) {
      const times = (events.get(id)?.times ?? 0) + 1;
      if (times > 1) duplicates += 1;
      events.set(id, { type, jobId, at, times });
    }
    const accepted = batch.events.length - duplicates - rejected.length;
    return { status: 200, body: { data: { accepted, duplicates, rejected }, warnings: [] } };
  };

  const perform = async (request: IncomingMessage, body: Buffer): Promise<Answer> => {
    if (request.headers['consumer-api-key'] !== KEY) return problem(401, 'unauthenticated');
    if (request.headers['user-api-key'] !== undefined) faults.push('a user key was sent');
    const line = `${request.method} ${request.url}`;
    const jobId = /^POST \/v1\.0\/jobs\/(\d+)\/applications$/.exec(line)?.[1];
    if (jobId !== undefined) return apply(Number(jobId), request, body);
    if (line === 'POST /v1.0/metrics/events') return record(body);
    faults.push(line);
    return problem(404, 'not_found');
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests += 1;
    const body = await buffer(request);
    const refusal = typeof behaviour === 'object' ? behaviour : undefined;
    const { status, body: json } = refusal
      ? problem(refusal.status, refusal.code ?? 'refused')
      : await perform(request, body);
    await beforeAnswer();
    if (behaviour === 'mute') return;
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(refusal?.retryAfter !== undefined && { 'retry-after': String(refusal.retryAfter) }),
    });
    response.end(JSON.stringify(json));
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      faults.push(String(error));
      request.socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };

  return {
    url: `http://127.0.0.1:${port}`,
    applications,
    events,
    batches,
    unknownJobs,
    faults,
    requests: () => requests,
    behave: (next: Behaviour): void => {
      behaviour = next;
    },
    /** Runs when a request is executed and not yet answered. */
    onExecuted: (work: () => Promise<void>): void => {
      beforeAnswer = work;
    },
    /** How often events of this job counted. */
    counted: (jobId: number, type = 'view'): number =>
      [...events.values()].filter((event) => event.jobId === jobId && event.type === type).length,
    stop: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function submissionOf(contentType: string, body: Buffer) {
  if (contentType === 'application/json')
    return { application: JSON.parse(body.toString()) as NewApplication, files: [] };
  const form = await new Response(Uint8Array.from(body), {
    headers: { 'content-type': contentType },
  }).formData();
  const parts = [...form.keys()].filter((name) => name !== 'application' && name !== 'file');
  if (parts.length > 0) throw new Error(`parts named ${parts.join()}`);
  const application = JSON.parse(await (form.get('application') as File).text()) as NewApplication;
  const files = await Promise.all(
    (form.getAll('file') as File[]).map(async (file) => ({
      name: file.name,
      bytes: Buffer.from(await file.arrayBuffer()),
    })),
  );
  return { application, files };
}
