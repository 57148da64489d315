import { setTimeout as delay } from 'node:timers/promises';
import {
  type BatchedJob,
  type JobByReference,
  JobListingError,
  type Sync,
  type Violation,
} from '@joblisting/client';
import type { JobBody } from '../postings/mapping.ts';
import type { Syncs } from './client.ts';
import type { Refusal } from './refusal.ts';
import type { SendOutcome } from './send.ts';

/** What becomes of the jobs that the file does not have. */
export type Missing = 'close' | 'delete' | 'keep';

export interface SyncOptions {
  readonly companyId: number;
  /** Undefined: the sync is about all jobs of the company. */
  readonly scope: string | undefined;
  /** Undefined: as many as were sent, so that a file cut off at the end of a line is not noticed. */
  readonly expectedCount: number | undefined;
  readonly missing: Missing;
  /** Undefined: as the API has it. */
  readonly maxMissingPercent: number | undefined;
  /** Ends waits and retries. */
  readonly signal: AbortSignal;
}

/** How the jobs that the file does not have ended, for the summary. */
export type SyncResult = Pick<Sync, 'id' | 'state' | 'closed' | 'deleted' | 'kept' | 'leftAlone'>;

export interface FullSync {
  /** Sends a posting, together with others that wait. */
  readonly send: (body: JobBody) => Promise<SendOutcome | Refusal>;
  /** A posting could not be sent, so nobody knows which job it is: no job may count as missing. */
  readonly leaveOut: () => void;
  /** Ends the sync. A sentence says why nothing was closed or deleted. */
  readonly commit: () => Promise<SyncResult | string>;
}

/** How many postings wait for one request. */
export const SYNC_ITEMS = 200;
const REQUEST_BYTES = 1024 * 1024;
const ATTEMPTS = 8;
const PAUSE_MS = 1000;

interface Waiting {
  readonly body: JobBody;
  readonly bytes: number;
  readonly answer: (answer: BatchedJob) => void;
  readonly fail: (error: unknown) => void;
}

/** Starts a sync of the company's jobs, or of those in the scope. Rejects with `JobListingError`. */
export async function startFullSync(syncs: Syncs, options: SyncOptions): Promise<FullSync> {
  const { companyId, scope, expectedCount, missing, maxMissingPercent, signal } = options;
  const newSync = { company: { id: companyId }, ...(scope !== undefined && { scope }) };
  const { id } = (await syncs.start(newSync, { signal })).data;
  const references = new Set<string>();
  const waiting: Waiting[] = [];
  let leftOut = 0;

  const nextChunk = (): Waiting[] => {
    let bytes = 0;
    const end = waiting.findIndex((one, index) => {
      bytes += one.bytes;
      return index > 0 && (bytes > REQUEST_BYTES || index >= SYNC_ITEMS);
    });
    return waiting.splice(0, end < 0 ? waiting.length : end);
  };
  const flush = (): void => {
    while (waiting.length > 0) void sendChunk(nextChunk());
  };
  const sendChunk = async (chunk: readonly Waiting[]): Promise<void> => {
    try {
      const items = chunk.map(({ body }) => body as JobByReference);
      const { data } = await syncs.add(id, items, { retrySignal: signal });
      for (const [index, one] of chunk.entries()) one.answer(data[index] as BatchedJob);
    } catch (error) {
      for (const one of chunk) one.fail(error);
    }
  };
  const sendOnce = (body: JobBody): Promise<BatchedJob> =>
    new Promise((answer, fail) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ body, bytes: Buffer.byteLength(JSON.stringify(body)), answer, fail });
    });

  return {
    send: async (body) => {
      references.add(body.referenceId);
      let answer = await sendOnce(body);
      for (let sent = 1; answer.status >= 500 && sent < ATTEMPTS; sent++) {
        await delay(PAUSE_MS, undefined, { signal });
        answer = await sendOnce(body);
      }
      return outcomeOf(answer);
    },
    leaveOut: () => {
      leftOut++;
    },
    commit: async () => {
      if (leftOut > 0) return `No job was closed or deleted: ${leftOut} postings cannot be told apart.`;
      const body = {
        expectedCount: expectedCount ?? references.size,
        missing,
        ...(maxMissingPercent !== undefined && { maxMissingPercent }),
      };
      try {
        let report = (await syncs.commit(id, body, { signal })).data;
        while (report.state === 'committing') {
          await delay(PAUSE_MS, undefined, { signal });
          report = (await syncs.get(id, { signal })).data;
        }
        const { state, closed, deleted, kept, leftAlone } = report;
        return { id, state, closed, deleted, kept, leftAlone };
      } catch (error) {
        if (error instanceof JobListingError && error.status === 409)
          return `No job was closed or deleted. ${error.violations.map(({ detail }) => detail).join(' ')}`;
        throw error;
      }
    },
  };
}

function outcomeOf({ index, status, outcome, error }: BatchedJob): SendOutcome | Refusal {
  if (outcome !== undefined && outcome !== 'refused') return outcome;
  const { code = 'unknown', detail = '', errors = [] } = error ?? {};
  return { code, detail, status, errors: errors.map((one) => inPosting(one, index)) };
}

/** The summary counts by pointers into the posting itself. */
const inPosting = ({ pointer, ...rest }: Violation, index: number): Violation =>
  pointer === undefined ? rest : { ...rest, pointer: pointer.replace(`/items/${index}`, '') };
