import { JobListingError, refused, unanswered } from './error.ts';
import type { Paging, Warning } from './openapi.ts';
import type { Data, OperationId } from './operations.ts';
import { defined, encode, type Options, type Request } from './request.ts';
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

/** Sends one request, with retries. Rejects with a `JobListingError`, or the reason of an aborted signal. */
export interface Transport {
  readonly send: <O extends OperationId>(
    operation: O,
    request: Request,
    options: Options,
  ) => Promise<Answer<Data<O>>>;
  readonly sendForPage: <T>(operation: OperationId, request: Request, options: Options) => Promise<Page<T>>;
  readonly sendForFile: (operation: OperationId, request: Request, options: Options) => Promise<Answer<Blob>>;
}

type Read = (response: Response, attempts: number) => Promise<object>;

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
  const keys = defined({ 'Consumer-API-Key': consumerKey, 'User-API-Key': userKey });

  const sendOnce = async (url: string, init: RequestInit, read: Read, limitMs: number, attempts: number) => {
    const { signal } = init;
    const limit = AbortSignal.timeout(limitMs);
    try {
      const response = await fetch(url, {
        ...init,
        // fetch would send the keys along to another address.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      if (!response.ok && response.status !== 304) throw refused(response, await response.text(), attempts);
      return { ...headOf(response), ...(await read(response, attempts)), attempts };
    } catch (failure) {
      if (failure instanceof JobListingError || signal?.aborted) throw failure;
      throw unanswered(failure, limitMs, attempts);
    }
  };
  const sender = (read: Read) => async (operation: OperationId, request: Request, options: Options) => {
    const { path, method, headers, body } = await encode(operation, request, options);
    const { signal, timeoutMs: limitMs = timeoutMs } = options;
    const init = { method, headers: { ...headers, ...keys }, body, signal: signal ?? null };
    return withRetries(
      (attempts) => sendOnce(`${base}/v1.0${path}`, init, read, limitMs, attempts),
      { maxRetries, maxTotalMs },
      timing,
      signal,
    );
  };
  // What an answer holds is as the description of the API says: there is no check at run time.
  return {
    send: sender(readEnvelope) as Transport['send'],
    sendForPage: sender(readEnvelope) as Transport['sendForPage'],
    sendForFile: sender(readFile) as Transport['sendForFile'],
  };
}

function headOf({ status, headers }: Response) {
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  return { status, etag: header('etag'), location: header('location'), requestId: header('request-id') };
}

async function readEnvelope(response: Response, attempts: number): Promise<object> {
  const text = await response.text();
  if (text === '') return { data: undefined, warnings: [] };
  try {
    return JSON.parse(text) as object;
  } catch {
    throw refused(response, text, attempts);
  }
}

async function readFile(response: Response): Promise<object> {
  return { data: await response.blob(), warnings: [] };
}

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
