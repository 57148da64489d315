import { createClient, type Client } from '@joblisting/client';

/** The API's address and the keys to use. */
export interface Target {
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly userKey: string;
}

export type Jobs = Client['jobs'];
export type Syncs = Client['syncs'];

/** An import waits longer than a program that somebody waits for. */
const RETRIES = { maxRetries: 7, maxTotalMs: 300_000 };

export const connect = (target: Target): Client => createClient({ ...target, ...RETRIES });
