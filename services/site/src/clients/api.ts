import { readFile } from 'node:fs/promises';
import { createClient, type MetricsEvent, type NewApplication, type UploadedFile } from '@joblisting/client';

export type ApiClient = ReturnType<typeof apiClient>;

interface ApiConfig {
  readonly API_URL: string;
  readonly CONSUMER_KEY_FILE?: string | undefined;
  readonly CONSUMER_KEY?: string | undefined;
}

/** A visitor waits for the answer. */
const APPLICATION_LIMITS = { timeoutMs: 6000, maxRetries: 2, maxTotalMs: 12_000 };
/** Who sends reports tries again by itself. */
const REPORT_LIMITS = { timeoutMs: 10_000, maxRetries: 0 };

/** There is no consumer key yet. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';
}

/** The HTTP API as this site uses it. Rejects with KeyMissing, or the client's JobListingError. */
export function apiClient({ API_URL: baseUrl, CONSUMER_KEY_FILE: file, CONSUMER_KEY }: ApiConfig) {
  /** The file may be made or replaced at any time. */
  const readKey = async (): Promise<string | undefined> => {
    const key = file === undefined ? CONSUMER_KEY : await readFile(file, 'utf8').catch(() => '');
    return key?.trim() || undefined;
  };
  const connect = async (limits: object) => {
    const consumerKey = await readKey();
    if (consumerKey === undefined) throw new KeyMissing('There is no consumer key.');
    return createClient({ baseUrl, consumerKey, ...limits });
  };
  return {
    hasKey: async (): Promise<boolean> => (await readKey()) !== undefined,

    /** Hands in an application. The same key and content again make no second one. */
    apply: async (
      jobId: number,
      application: NewApplication,
      files: readonly UploadedFile[],
      idempotencyKey: string,
    ) => {
      const client = await connect(APPLICATION_LIMITS);
      return client.applications.create(jobId, application, files, { idempotencyKey });
    },

    /** Reports 1 to 1,000 events. */
    report: async (events: readonly MetricsEvent[], signal: AbortSignal) => {
      const client = await connect(REPORT_LIMITS);
      return client.metrics.send([...events], { signal });
    },
  };
}
