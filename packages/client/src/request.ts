import { type OperationId, routes } from './operations.ts';

/** Options of every method. */
export interface RequestOptions {
  /** Cancels the request and its retries. */
  readonly signal?: AbortSignal | undefined;
  /** Cancels the retries; an attempt that runs may end. */
  readonly retrySignal?: AbortSignal | undefined;
  /** How long one attempt may take, in place of the client's. */
  readonly timeoutMs?: number | undefined;
}

export interface CreateOptions extends RequestOptions {
  /** Names what the request does. The same key never does it twice; without one each call has its own. */
  readonly idempotencyKey?: string | undefined;
}

export interface ReadOptions extends RequestOptions {
  /** An ETag. While it still holds, the answer has status 304 and no data. */
  readonly ifNoneMatch?: string | undefined;
}

export interface ChangeOptions extends RequestOptions {
  /** An ETag. If the job has changed since, the error has status 412. */
  readonly ifMatch?: string | undefined;
}

/** All of them. What else an operation takes as options, such as `dryRun`, goes into its query. */
export type Options = CreateOptions & ReadOptions & ChangeOptions;

const NOT_QUERY = new Set(['signal', 'retrySignal', 'timeoutMs', 'idempotencyKey', 'ifMatch', 'ifNoneMatch']);

/** A file of an application. */
export interface UploadedFile {
  readonly name: string;
  readonly content: Blob | Uint8Array;
}

export interface Request {
  readonly path?: Readonly<Record<string, number>>;
  readonly query?: object;
  readonly body?: unknown;
  /** Sent with the body as multipart/form-data. */
  readonly files?: readonly UploadedFile[];
}

/** A request as `fetch` takes it, the same bytes for every attempt. */
export interface EncodedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ArrayBuffer | null;
}

export async function encode(
  operation: OperationId,
  request: Request,
  options: Options,
): Promise<EncodedRequest> {
  const [method, template] = routes[operation].split(' ') as [string, string];
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(request.path?.[name]));
  const more = Object.fromEntries(Object.entries(options).filter(([name]) => !NOT_QUERY.has(name)));
  const query = new URLSearchParams(omitUndefined({ ...request.query, ...more })).toString();
  const { type, body } = await contentOf(request);
  const headers = {
    Accept: 'application/json',
    'Content-Type': type,
    'Idempotency-Key': method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined,
    'If-Match': options.ifMatch,
    'If-None-Match': options.ifNoneMatch,
  };
  return { path: query === '' ? path : `${path}?${query}`, method, headers: omitUndefined(headers), body };
}

/** An id as part of a path. Without types it could be any text, such as `../jobcategories/7`. */
function idOf(id: unknown): string {
  const text = String(id);
  if (!/^\d+$/.test(text)) throw new TypeError(`An id is a whole number, not ${JSON.stringify(id)}.`);
  return text;
}

/** Header and query values as text, without those that are undefined. */
export function omitUndefined(values: object): Record<string, string> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

async function contentOf({ body, files = [] }: Request) {
  if (files.length > 0) return encodeMultipart(body, files);
  if (body === undefined) return { type: undefined, body: null };
  return { type: 'application/json', body: JSON.stringify(body) };
}

async function encodeMultipart(application: unknown, files: readonly UploadedFile[]) {
  const form = new FormData();
  form.append('application', new Blob([JSON.stringify(application)], { type: 'application/json' }));
  for (const { name, content } of files) form.append('file', new Blob([content]), name);
  // Encoded once: a form would get another boundary, so other bytes, with each attempt.
  const encoded = new Response(form);
  return {
    type: encoded.headers.get('content-type') ?? undefined,
    body: await encoded.arrayBuffer(),
  };
}
