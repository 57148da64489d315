import { Pool } from 'undici';
import { property } from '../values.ts';
import { defaultRetryPolicy, isRetryableStatus, isRetryableFailure, retryDelay, sleep } from './retry.ts';
import type { RetryPolicy } from './retry.ts';

/** The API's address and the keys to use. `baseUrl` ends in the version segment. */
export interface Target {
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly userKey: string;
}

export interface Answer {
  readonly status: number;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
  /** The version part of the ETag. */
  readonly version: string | undefined;
  /** An earlier attempt got no answer or a 504, so the server may have executed it. */
  readonly repeated: boolean;
}

/** The API did not answer any attempt. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

export interface ClientOptions {
  readonly connections: number;
  /** Ends the waits between attempts. */
  readonly signal: AbortSignal;
  readonly retry?: RetryPolicy;
}

export interface Client {
  readonly request: (method: 'GET' | 'PUT', path: string, body?: unknown) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

const TIMEOUT_MS = 30_000;

interface Reply extends Omit<Answer, 'repeated'> {
  readonly retryAfter: string | undefined;
}

/** Makes a client of the public API with a connection pool and retries. */
export function connect(target: Target, options: ClientOptions): Client {
  const base = new URL(target.baseUrl);
  const pool = new Pool(base.origin, {
    connections: options.connections,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const headers = {
    accept: 'application/json',
    'consumer-api-key': target.consumerKey,
    'user-api-key': target.userKey,
  };
  const send = async (method: 'GET' | 'PUT', path: string, body: string | undefined): Promise<Reply> => {
    const response = await pool.request({
      method,
      path: base.pathname.replace(/\/$/, '') + path,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });
    return {
      status: response.statusCode,
      body: parsed(await response.body.text()),
      version: /^(?:W\/)?"(\d+)-/.exec(String(response.headers['etag']))?.[1],
      retryAfter: response.headers['retry-after']?.toString(),
    };
  };
  return {
    request: (method, path, body) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      return withRetries(() => send(method, path, text), options);
    },
    close: () => pool.close(),
  };
}

async function withRetries(send: () => Promise<Reply>, options: ClientOptions): Promise<Answer> {
  const policy = options.retry ?? defaultRetryPolicy;
  let repeated = false;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send().catch((cause: unknown) => ({ cause }));
    if (!('cause' in outcome) && !isRetryableStatus(outcome.status)) return answer(outcome, repeated);
    const failed = 'cause' in outcome;
    const wait =
      failed && !isRetryableFailure(outcome.cause)
        ? undefined
        : retryDelay(attempt, failed ? undefined : outcome.retryAfter, policy, new Date(), Math.random);
    const again = wait !== undefined && (await sleep(wait, options.signal));
    if (!again && failed) throw new UnreachableError(reason(outcome.cause), { cause: outcome.cause });
    if (!again && !failed) return answer(outcome, repeated);
    repeated ||= failed || outcome.status === 504;
  }
}

function answer({ status, body, version }: Reply, repeated: boolean): Answer {
  return { status, body, version, repeated };
}

function reason(cause: unknown): string {
  return String(property(cause, 'message') || property(cause, 'code') || cause);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
