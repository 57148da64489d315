import type { CallContext } from '@joblisting/bus';
import {
  type BatchedJob,
  deadlineExceeded,
  errorCodes,
  type ItemOutcome,
  type JobByReference,
  LISTED_AT_MOST,
  overloaded,
  refuseInvalid,
  ServiceError,
  statusOf,
  type Violation,
  type Warning,
} from '@joblisting/contracts';
import {
  type BodyReader,
  type JsonPath,
  type Log,
  readJson,
  refusalOfDatabaseError,
  repeatedNamesError,
  requireObject,
  semaphore,
  traceOf,
  withTimeout,
} from '@joblisting/service-kit';
import { byItem, inBatch, repeatedReferences, UnreadableItem } from '../domain/batch.ts';
import { lastStart } from '../store/retry-on-conflict.ts';
import type { Deps } from './deps.ts';
import { jobAnswer, previewAnswer } from './job-answer.ts';
import { putByReference, type PutResult } from './put-job.ts';

export interface ItemDeps extends Deps {
  readonly log: Log;
  /** Shared by all batches of this process, so that they leave room for single requests. */
  readonly itemSlots: ReturnType<typeof itemSlots>;
}

/** The items of a request, and what was found in its body. */
export interface ItemsRequest {
  readonly items: readonly (JobByReference | UnreadableItem)[];
  readonly violations: readonly Violation[];
  readonly warnings: Warning[];
  readonly dryRun: boolean;
  readonly context: CallContext;
  /** More violations of an item, by pointers into the item itself. */
  readonly violationsOf?: (item: unknown) => readonly Violation[];
}

/** The answer to one item. */
export interface ItemAnswer {
  readonly status: number;
  /** Undefined if it may have been executed, or was not, for a reason that passes. */
  readonly outcome: ItemOutcome | undefined;
  /** A `BatchedJob` as JSON. */
  readonly json: string;
}

const OF_PROCESS = 32;
const OF_BATCH = 16;
/** The time for the answer of the whole batch, after its last item. */
export const ANSWER_MS = 500;
/** The data of all answers. With them a reply still fits into one message of the bus. */
const REPLY_BYTES = 6 * 1024 * 1024;

export const itemSlots = () => semaphore(OF_PROCESS);

/** Answers by bytes, without copying them into one value. */
export const jsonOf = (answers: readonly ItemAnswer[]): Uint8Array =>
  Buffer.from(`[${answers.map(({ json }) => json).join(',')}]`);

/**
 * Creates or changes the job of each item, as PUT /jobs does. Never rejects because of an item. Items that there is no
 * time for are not begun. Throws `validation_failed` without a usable list.
 */
export async function putItems(deps: ItemDeps, request: ItemsRequest): Promise<ItemAnswer[]> {
  const { items, context } = request;
  // With violations it may be no list.
  const count = Array.isArray(items) ? items.length : 0;
  const faults = byItem(request.violations, count);
  refuseInvalid(faults.get(undefined) ?? []);
  const remarks = byItem(request.warnings.splice(0), count);
  request.warnings.push(...(remarks.get(undefined) ?? []));
  const repeated = repeatedReferences(items);
  const deadline = context.deadline - ANSWER_MS;
  const slots = semaphore(OF_BATCH);
  const shorten = replyLimit(REPLY_BYTES);

  return Promise.all(
    items.map(async (item, index) => {
      let isBegun = false;
      const begin = async () => {
        if (Date.now() >= lastStart(deadline)) throw notBegun();
        isBegun = true;
        const duplicate = repeated.get(index);
        const violations = [
          ...(duplicate ? [duplicate] : []),
          ...(faults.get(index) ?? []),
          ...(request.violationsOf?.(item) ?? []),
        ];
        return putItem(deps, item, violations, { ...request, context: { ...context, deadline } });
      };
      const work = slots(() => deps.itemSlots(begin));
      try {
        const put = await withTimeout(work, deadline - Date.now(), () =>
          isBegun ? deadlineExceeded() : notBegun(),
        );
        const answer = successOf(index, put, remarks.get(index) ?? [], request.dryRun);
        return { outcome: answer.outcome, status: answer.status, json: shorten(answer) };
      } catch (error) {
        const answer = failureOf(index, refusalOf(error, deps.log, context));
        return { outcome: answer.outcome, status: answer.status, json: shorten(answer) };
      }
    }),
  );
}

function outcomeOf({ outcome, isUnchanged }: PutResult): ItemOutcome {
  if (outcome === 'created') return 'created';
  return isUnchanged ? 'unchanged' : 'updated';
}

const notBegun = () => overloaded('deadline', 'There was no time left for this item: it was not executed.');

async function putItem(
  deps: Deps,
  item: JobByReference | UnreadableItem,
  violations: readonly Violation[],
  { dryRun, context }: ItemsRequest,
): Promise<PutResult> {
  if (item instanceof UnreadableItem) throw item.error;
  // It is no object.
  if (violations.some(({ pointer }) => pointer === '#')) refuseInvalid(violations);
  return putByReference(deps, { body: item, violations, dryRun, context });
}

function successOf(index: number, put: PutResult, remarks: readonly Warning[], dryRun: boolean): BatchedJob {
  const { job, outcome, warnings } = put;
  const all = [...remarks, ...warnings].slice(0, LISTED_AT_MOST);
  return {
    index,
    status: outcome === 'created' ? 201 : 200,
    outcome: outcomeOf(put),
    data: (dryRun ? previewAnswer(job, outcome) : jobAnswer(job, outcome)).data,
    ...(all.length > 0 && { warnings: inBatch(all, index) }),
  };
}

function failureOf(index: number, { code, message, reason, errors }: ServiceError): BatchedJob {
  const error = {
    code,
    title: errorCodes[code].title,
    detail: message,
    ...(reason && { reason }),
    errors: inBatch(errors.slice(0, LISTED_AT_MOST), index),
  };
  const status = statusOf(code);
  return { index, status, ...(status < 500 && { outcome: 'refused' as const }), error };
}

function refusalOf(thrown: unknown, log: Log, context: CallContext): ServiceError {
  const refusal = refusalOfDatabaseError(thrown);
  if (refusal instanceof ServiceError) return refusal;
  log.error({ err: thrown, ...traceOf(context) }, 'an item of a batch failed');
  return new ServiceError('internal');
}

/** Leaves out jobs and lists of errors once all answers have this many bytes. */
function replyLimit(limit: number) {
  let bytes = 0;
  return ({ data, error, ...rest }: BatchedJob): string => {
    const json = JSON.stringify({ ...rest, data, error });
    bytes += Buffer.byteLength(json);
    if (bytes <= limit) return json;
    const { index, status, outcome } = rest;
    return JSON.stringify({ index, status, outcome, error: error && { ...error, errors: [] } });
  };
}

/** Reads a batch. An item with a name twice is an `UnreadableItem`. Throws `malformed_json` for any other fault. */
export const readItems: BodyReader = (bytes) => {
  const { value, repeated } = readJson(bytes);
  const body = requireObject(value);
  const { items } = body;
  const isInItem = ([list, index]: JsonPath) => list === 'items' && typeof index === 'number';
  if (!Array.isArray(items) || !repeated.every(isInItem)) {
    if (repeated.length > 0) throw repeatedNamesError('The body', repeated);
    return body;
  }
  for (const [index, paths] of Map.groupBy(repeated, ([, at]) => Number(at))) {
    // Answers put the index in front of the pointers of an item.
    items[index] = new UnreadableItem(
      repeatedNamesError(
        'The item',
        paths.map((path) => path.slice(2)),
      ),
    );
  }
  return body;
};
