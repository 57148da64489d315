import type { JobsApi } from '../api/jobs.ts';
import type { Refusal } from '../api/refusal.ts';
import { Unreachable } from '../api/client.ts';
import type { SourceRecord } from '../input/records.ts';
import { property } from '../postings/json.ts';
import { UsageError } from '../usage-error.ts';
import { preparer } from './prepare.ts';
import type { Prepared, PrepareOptions } from './prepare.ts';
import { sendPosting } from './send.ts';
import type { Sent } from './send.ts';
import { countOutcome, countPrepared } from './tally.ts';
import type { Tally } from './tally.ts';

/** Where an import leaves its traces as it goes. */
export interface Observer {
  readonly refused: (record: SourceRecord, referenceId: string | undefined, refusal: Refusal) => void;
  readonly repaired: (record: SourceRecord, prepared: Prepared) => void;
  readonly progress: (tally: Tally) => void;
}

export interface ImportRun {
  readonly records: AsyncGenerator<SourceRecord>;
  readonly prepare: PrepareOptions;
  /** Undefined for a dry run: everything but sending. */
  readonly api: JobsApi | undefined;
  readonly concurrency: number;
  readonly tally: Tally;
  readonly observer: Observer;
  /** Aborted from outside, or by the run itself where going on is of no use. */
  readonly stop: AbortController;
}

/**
 * Imports every record, at most `concurrency` at a time. Stops early, after those under way, when `stop` is
 * aborted, the service cannot be reached any more, takes nothing for now, or no longer knows the keys. Throws what
 * the input throws, and `Unreachable` or `ListRefused` where not even the company's jobs can be listed.
 */
export async function runImport(run: ImportRun): Promise<void> {
  const { api, tally, observer, stop } = run;
  const known = await api?.references(run.prepare.mapping.companyId).catch((failure: unknown) => {
    if (!stop.signal.aborted) throw failure;
    return undefined;
  });
  const prepare = preparer(run.prepare);
  const handle = async (record: SourceRecord): Promise<void> => {
    const prepared = prepare(record);
    if ('refusal' in prepared) {
      countOutcome(tally, prepared.refusal);
      observer.refused(record, undefined, prepared.refusal);
      return;
    }
    countPrepared(tally, prepared);
    if (prepared.changes.size > 0) observer.repaired(record, prepared);
    const { referenceId } = prepared.body;
    const outcome = api === undefined ? 'mapped' : await send(api, prepared, known?.get(referenceId), stop);
    countOutcome(tally, outcome);
    if (typeof outcome !== 'string') observer.refused(record, referenceId, outcome);
  };
  const work = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const record = await nextRecord(run);
      if (record === undefined) return;
      await handle(record);
      observer.progress(tally);
    }
  };
  try {
    await Promise.all(Array.from({ length: run.concurrency }, work));
  } catch (failure) {
    stop.abort(failure);
    throw failure;
  } finally {
    await run.records.return(undefined);
  }
}

/** Undefined at the end of the input, or where it breaks off, which stops the import. */
async function nextRecord({ records, stop }: ImportRun): Promise<SourceRecord | undefined> {
  try {
    const next = await records.next();
    return next.done === true ? undefined : next.value;
  } catch (failure) {
    if (failure instanceof UsageError) throw failure;
    stop.abort(`The file cannot be read to its end: ${String(property(failure, 'message'))}`);
    return undefined;
  }
}

async function send(
  api: JobsApi,
  { body }: Prepared,
  jobId: number | undefined,
  stop: AbortController,
): Promise<Sent> {
  try {
    const sent = await sendPosting(api, body, jobId);
    if (typeof sent === 'string') return sent;
    if (sent.status === 401) stop.abort('The service refuses the keys.');
    if (sent.status === 429 || sent.status === 503)
      stop.abort(`The service takes nothing for now: ${sent.detail}`);
    return sent;
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure;
    stop.abort(`The service cannot be reached: ${failure.message}`);
    return { code: 'unreachable', detail: failure.message, errors: [] };
  }
}
