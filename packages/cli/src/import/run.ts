import { JobListingError } from '@joblisting/client';
import type { SourceRecord } from '../input/records.ts';
import { property } from '../values.ts';
import { UsageError } from '../terminal.ts';
import type { Jobs } from './client.ts';
import { type FullSync, SYNC_ITEMS } from './full-sync.ts';
import { DUPLICATE, preparer } from './prepare.ts';
import type { PreparedPosting, PrepareOptions } from './prepare.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import { jobIdsByReference, sendPosting, type SendOutcome } from './send.ts';
import { countOutcome, countPrepared } from './tally.ts';
import type { Tally } from './tally.ts';

/** Gets the results of an import as it runs. */
export interface Observer {
  readonly refused: (record: SourceRecord, referenceId: string | undefined, refusal: Refusal) => void;
  readonly repaired: (record: SourceRecord, prepared: PreparedPosting) => void;
  readonly progress: (tally: Tally) => void;
}

export interface ImportRun {
  readonly records: AsyncGenerator<SourceRecord>;
  readonly prepare: PrepareOptions;
  readonly jobs: Jobs;
  /** Postings go there, in place of a request for each. */
  readonly sync: FullSync | undefined;
  /** The API judges the postings and writes nothing. */
  readonly dryRun: boolean;
  readonly concurrency: number;
  readonly tally: Tally;
  readonly observer: Observer;
  /** The caller or the run itself aborts it to end the import early. */
  readonly stop: AbortController;
}

/**
 * Imports all records, at most `concurrency` at a time. Stops early when `stop` is aborted or the service is unreachable,
 * accepts no requests or rejects the keys; it then finishes the requests in flight. Throws errors of the input, and
 * a `JobListingError` if it cannot list the company's jobs.
 */
export async function runImport(run: ImportRun): Promise<void> {
  const { tally, observer, stop } = run;
  const jobIds = run.sync ? undefined : await readJobIds(run);
  const prepare = preparer(run.prepare);
  const importRecord = async (record: SourceRecord): Promise<void> => {
    const prepared = prepare(record);
    if ('refusal' in prepared) {
      countOutcome(tally, prepared.refusal);
      observer.refused(record, undefined, prepared.refusal);
      if (prepared.refusal.code !== DUPLICATE) run.sync?.leaveOut();
      return;
    }
    const { referenceId } = prepared.body;
    const outcome = await send(run, prepared, jobIds?.get(referenceId));
    if (outcome === undefined) return;
    countPrepared(tally, prepared);
    if (prepared.changes.size > 0) observer.repaired(record, prepared);
    countOutcome(tally, outcome);
    if (typeof outcome !== 'string') observer.refused(record, referenceId, outcome);
  };
  const worker = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const record = await nextRecord(run);
      if (record === undefined) return;
      await importRecord(record);
      observer.progress(tally);
    }
  };
  try {
    await Promise.all(Array.from({ length: run.sync ? SYNC_ITEMS : run.concurrency }, worker));
  } catch (failure) {
    stop.abort(failure);
    throw failure;
  } finally {
    await run.records.return(undefined);
  }
}

/** Undefined at the end of the input. A read error stops the import. */
async function nextRecord({ records, stop }: ImportRun): Promise<SourceRecord | undefined> {
  try {
    const next = await records.next();
    return next.done === true ? undefined : next.value;
  } catch (failure) {
    if (failure instanceof UsageError) throw failure;
    stop.abort(`The file cannot be read completely: ${String(property(failure, 'message'))}`);
    return undefined;
  }
}

/** Undefined if an interrupt ended it. */
async function readJobIds({ jobs, prepare, stop }: ImportRun) {
  try {
    return await jobIdsByReference(jobs, prepare.mapping.companyId, stop.signal);
  } catch (failure) {
    if (stop.signal.aborted) return undefined;
    throw failure;
  }
}

/** Undefined if the import stopped before the posting got an answer. */
async function send(
  { jobs, sync, dryRun, stop }: ImportRun,
  { body }: PreparedPosting,
  jobId: number | undefined,
): Promise<SendOutcome | Refusal | undefined> {
  try {
    if (sync) return stopIfRefused(await sync.send(body), stop);
    return await sendPosting(jobs, body, jobId, { dryRun, retrySignal: stop.signal });
  } catch (failure) {
    if (!(failure instanceof JobListingError)) {
      if (stop.signal.aborted) return undefined;
      throw failure;
    }
    const { status, detail } = failure;
    if (status === 0) stop.abort(detail);
    if (status === 401) stop.abort('The service rejects the keys.');
    if (status === 429 || status === 503) stop.abort(`The service accepts no requests now: ${detail}`);
    return refusalOf(failure);
  }
}

/** An item that was not executed after many attempts: the next ones will not be either. */
function stopIfRefused(outcome: SendOutcome | Refusal, stop: AbortController): SendOutcome | Refusal {
  if (typeof outcome !== 'string' && (outcome.status ?? 0) >= 500)
    stop.abort(`The service accepts no requests now: ${outcome.detail}`);
  return outcome;
}
