import { type ParamsOf, type recordEvents, ServiceError } from '@joblisting/contracts';
import {
  type BodyReader,
  type Clock,
  type Handler,
  parseJson,
  parseJsonObject,
  requireScope,
} from '@joblisting/service-kit';
import type { CountingQueue } from '../counting-queue.ts';
import type { Batch } from '../store/ledger.ts';

/**
 * Counts a batch of events, and keeps the receipt for an Idempotency-Key with them. Throws `scope_missing`, and
 * what the queue rejects with.
 */
export function recordEventsHandler(queue: CountingQueue, clock: Clock): Handler<typeof recordEvents> {
  return async ({ body, context, keep }) => {
    requireScope(context, 'metrics:write');
    const batch: Batch = {
      sender: `consumer ${context.principal?.consumerId}`,
      events: body.events,
      keep: keep && { key: keep.key, answer: (data) => keep({ data }, clock.now()) },
    };
    return { data: await queue.submit(batch, context.deadline) };
  };
}

const NEWLINE = 0x0a;
const BLANK = new Set([0x20, 0x09, 0x0d]);
/** The same as in the contract. */
const MAX_EVENTS = 1000;

/**
 * Reads a batch as JSON, or as NDJSON with one event a line, blank lines ignored.
 * Throws `malformed_json`, which names the line.
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
      const isWanted = events.length < MAX_EVENTS;
      events.push(isWanted ? readLine(bytes.subarray(from, at), line, events.length) : undefined);
    }
    line++;
    from = at + 1;
    isBlank = true;
  }
  return events;
}

const readLine = (bytes: Uint8Array, line: number, index: number): unknown =>
  parseJson(bytes, { name: `Line ${line}`, path: ['events', index] });
