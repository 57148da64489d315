import { errorOfAnswer, errorWithoutAnswer, parseObject } from './error.ts';
import type { CursorPaging, Paging, Warning } from './openapi.ts';
import type { Data, OperationId } from './operations.ts';
import { encode, omitUndefined, type Options, type Request } from './request.ts';
import { realTiming, type Timing, withRetries } from './retry.ts';

export interface ClientOptions {
  /** Address of the service, with or without `/v1.0`. */
  readonly baseUrl: string;
  readonly consumerKey?: string | undefined;
  readonly userKey?: string | undefined;
  /** How often a request is sent again: 3 times. */
  readonly maxRetries?: number | undefined;
  /** How long one attempt may take: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** How long all attempts and the waits between them may take: 120 s. */
  readonly maxTotalMs?: number | undefined;
  /** In place of the global `fetch`, for example one that uses a proxy. */
  readonly fetch?: typeof fetch | undefined;
}

/** A successful answer. */
export interface Answer<T> {
  readonly data: T;
  readonly warnings: readonly Warning[];
  /** 200, 201, 204 or 304. */
  readonly status: number;
  readonly etag: string | undefined;
  /** Address of what was created. */
  readonly location: string | undefined;
  readonly requestId: string | undefined;
  /** How often the request was sent. */
  readonly attempts: number;
}

export interface Page<T> extends Answer<readonly T[]> {
  readonly paging: Paging;
}

/** A page of a list that is followed. */
export interface CursorPage<T> extends Answer<readonly T[]> {
  readonly paging: CursorPaging;
}

/** Sends one request, with retries. Rejects with a `JobListingError`, or the reason of an aborted signal. */
export interface Transport {
  readonly send: <O extends OperationId>(
    operation: O,
    request: Request,
    options: Options,
  ) => Promise<Answer<Data<O>>>;
  readonly sendForPage: <T>(operation: OperationId, request: Request, options: Options) => Promise<Page<T>>;
  readonly sendForCursor: <T>(
    operation: OperationId,
    request: Request,
    options: Options,
  ) => Promise<CursorPage<T>>;
  readonly sendForFile: (operation: OperationId, request: Request, options: Options) => Promise<Answer<Blob>>;
  readonly sleep: Timing['sleep'];
}

/** What a successful answer holds. Undefined if that is not what the API sends. */
type Read = (body: Blob) => Promise<object | undefined>;

export function createTransport(
  {
    baseUrl,
    consumerKey,
    userKey,
    maxRetries = 3,
    timeoutMs = 30_000,
    maxTotalMs = 120_000,
    ...rest
  }: ClientOptions,
  timing: Timing = realTiming,
): Transport {
  const fetch = rest.fetch ?? globalThis.fetch;
  const base = baseUrl.replace(/\/+$/, '').replace(/\/v1\.0$/, '');
  const keys = omitUndefined({ 'Consumer-API-Key': consumerKey, 'User-API-Key': userKey });

  const fetchWithBody = async (url: string, init: RequestInit, limitMs: number, attempts: number) => {
    const { signal } = init;
    const limit = AbortSignal.timeout(limitMs);
    try {
      const response = await fetch(url, {
        ...init,
        // fetch would send the keys along to another address.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      return { response, body: await response.blob() };
    } catch (failure) {
      if (signal?.aborted) throw failure;
      throw errorWithoutAnswer(failure, limitMs, attempts);
    }
  };
  const sendOnce = async (url: string, init: RequestInit, read: Read, limitMs: number, attempts: number) => {
    const { response, body } = await fetchWithBody(url, init, limitMs, attempts);
    const content = await readSuccess(response, body, read);
    if (content === undefined) throw errorOfAnswer(response, await body.text(), attempts);
    return { ...headOf(response), ...content, attempts };
  };
  const sender = (read: Read) => async (operation: OperationId, request: Request, options: Options) => {
    const { path, method, headers, body } = await encode(operation, request, options);
    const { signal, retrySignal, timeoutMs: limitMs = timeoutMs } = options;
    const init = { method, headers: { ...headers, ...keys }, body, signal: signal ?? null };
    return withRetries(
      (attempts, remainingMs) =>
        sendOnce(`${base}/v1.0${path}`, init, read, Math.ceil(Math.min(limitMs, remainingMs)), attempts),
      { maxRetries, maxTotalMs },
      timing,
      signal && retrySignal ? AbortSignal.any([signal, retrySignal]) : (retrySignal ?? signal),
    );
  };
  // What `data` holds is as the description of the API says: there is no check at run time.
  return {
    send: sender(readData) as Transport['send'],
    sendForPage: sender(readPage) as Transport['sendForPage'],
    sendForCursor: sender(readPage) as Transport['sendForCursor'],
    sendForFile: sender(readFile) as Transport['sendForFile'],
    sleep: timing.sleep,
  };
}

function headOf({ status, headers }: Response) {
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  return { status, etag: header('etag'), location: header('location'), requestId: header('request-id') };
}

/** Undefined for an error, or if `read` finds something else than the API sends. */
async function readSuccess({ ok, status }: Response, body: Blob, read: Read): Promise<object | undefined> {
  if (status === 204 || status === 304) return { data: undefined, warnings: [] };
  return ok ? read(body) : undefined;
}

async function readData(body: Blob): Promise<object | undefined> {
  const envelope = parseObject(await body.text());
  return envelope && 'data' in envelope ? { warnings: [], ...envelope } : undefined;
}

async function readPage(body: Blob): Promise<object | undefined> {
  const envelope = await readData(body);
  return envelope && 'paging' in envelope ? envelope : undefined;
}

const readFile = async (body: Blob): Promise<object> => ({ data: body, warnings: [] });

/** Every element of all pages from `first` on. */
export async function* elementsOf<T>(
  page: (number: number) => Promise<Page<T>>,
  first = 1,
): AsyncGenerator<T, void, undefined> {
  for (let number = first; ; number += 1) {
    const { data, paging } = await page(number);
    yield* data;
    if (paging.next === null) return;
  }
}
