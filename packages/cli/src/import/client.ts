import { createClient, type Client } from '@joblisting/client';

/** The API's address and the keys to use. */
export interface Target {
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly userKey: string;
}

export type Jobs = Client['jobs'];

const TIMEOUT_MS = 30_000;
/** An import waits longer than a program that somebody waits for. */
const RETRIES = { maxRetries: 7, maxTotalMs: 300_000 };

/** A client whose signals end only the waits between attempts: a request in flight runs to its end. */
export const connect = (target: Target): Client =>
  createClient({
    ...target,
    ...RETRIES,
    fetch: (url, request) => fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  });
