import { type ParamsOf, type recordEvents, ServiceError } from '@joblisting/contracts';
import { type BodyReader, parseJson, parseJsonObject } from '@joblisting/service-kit';

const NEWLINE = 0x0a;
const BLANK = new Set([0x20, 0x09, 0x0d]);
/** As the contract has it. */
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
  let from = 0;
  for (let line = 1; from < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline === -1 ? bytes.length : newline;
    const text = bytes.subarray(from, end);
    // What is over the limit is only counted: the batch is refused whatever those lines say.
    if (!isBlank(text)) {
      events.push(events.length < MAX_EVENTS ? parseJson(text, `Line ${line}`) : undefined);
    }
    from = end + 1;
  }
  return events;
}

const isBlank = (text: Uint8Array) => text.every((byte) => BLANK.has(byte));
