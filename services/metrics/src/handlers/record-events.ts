import {
  EVENTS_MAX,
  type ParamsOf,
  type recordEvents,
  refuseInvalid,
  ServiceError,
} from '@joblisting/contracts';
import {
  type BodyReader,
  type Clock,
  type Handler,
  parseJson,
  parseJsonObject,
  requireScope,
} from '@joblisting/service-kit';
import type { CountingQueue } from '../counting-queue.ts';
import { receiptOfAll, separateEvents, UnreadableLine, violationsOfList } from '../domain/rejections.ts';

/**
 * Counts the valid events of a batch, and keeps the receipt for an Idempotency-Key with them. Throws `scope_missing`,
 * `validation_failed` without a usable list of events, and what the queue rejects with.
 */
export function recordEventsHandler(queue: CountingQueue, clock: Clock): Handler<typeof recordEvents> {
  return async ({ body, violations, context, keep }) => {
    requireScope(context, 'metrics:write');
    refuseInvalid(violationsOfList(violations));
    const events = separateEvents(body.events, violations);
    const receipt = await queue.submit(
      {
        sender: `consumer ${context.principal?.consumerId}`,
        events: events.valid,
        keep: keep && {
          key: keep.key,
          answer: (counted) => keep({ data: receiptOfAll(counted, events) }, clock.now()),
        },
      },
      context.deadline,
    );
    return { data: receiptOfAll(receipt, events) };
  };
}

const NEWLINE = 0x0a;
const BLANK = new Set([0x20, 0x09, 0x0d]);

/**
 * Reads a batch as JSON, or as NDJSON with one event a line, blank lines ignored. A line that is not JSON is an
 * `UnreadableLine`. Throws `malformed_json` for a body that is not JSON, or empty.
 */
export const readEvents: BodyReader = (bytes, params) =>
  (params as ParamsOf<typeof recordEvents>).format === 'ndjson'
    ? { events: readLines(bytes) }
    : parseJsonObject(bytes);

function readLines(bytes: Uint8Array): unknown[] {
  if (bytes.length === 0) throw new ServiceError('malformed_json', 'The body is empty; an event is needed.');
  const events: unknown[] = [];
  let line = 1;
  let from = 0;
  let isBlank = true;
  // Byte by byte, because creating a view of each line is slow for millions of empty lines.
  for (let at = 0; at <= bytes.length; at++) {
    const byte = at < bytes.length ? (bytes[at] as number) : NEWLINE;
    if (byte !== NEWLINE) {
      isBlank &&= BLANK.has(byte);
      continue;
    }
    // Lines over the limit are only counted: the batch is refused anyway.
    if (!isBlank) {
      const isWanted = events.length < EVENTS_MAX;
      events.push(isWanted ? readLine(bytes.subarray(from, at), line, events.length) : undefined);
    }
    line++;
    from = at + 1;
    isBlank = true;
  }
  return events;
}

function readLine(bytes: Uint8Array, line: number, index: number): unknown {
  try {
    return parseJson(bytes, { name: `Line ${line}`, path: ['events', index] });
  } catch (error) {
    if (error instanceof ServiceError) return new UnreadableLine(error);
    throw error;
  }
}
