import { describe, expect, it } from '@jest/globals';
import { readEvents } from './record-events.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const readLines = (text: string) => readEvents(bytes(text), { format: 'ndjson' });

describe('readEvents', () => {
  it('reads one JSON object unless told otherwise', () => {
    expect(readEvents(bytes('{"events":[1]}'), {})).toEqual({ events: [1] });
    expect(readEvents(bytes('{"events":[1]}'), { format: 'json' })).toEqual({ events: [1] });
  });

  it.each([
    ['one line without an end', '{"a":1}', [{ a: 1 }]],
    ['lines of either ending', '{"a":1}\r\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
    ['blank lines between', '\n\n{"a":1}\n \t\r\n{"b":2}\n\n', [{ a: 1 }, { b: 2 }]],
    ['what is no object, for the schema to refuse', '5\nnull\n[]', [5, null, []]],
    ['nothing but blank lines', '\n \n', []],
    ['a line separator inside a string', '{"a":"\u2028"}', [{ a: '\u2028' }]],
  ])('reads %s', (_what, text, events) => {
    expect(readLines(text)).toEqual({ events });
  });

  it.each([
    ['an empty body', '', 'The body is empty'],
    ['a line that ends too early', '{"a":1}\n\n{"a":\n', 'Line 3 is not valid JSON'],
    ['two objects in one line', '{"a":1}{"b":2}', 'Line 1 is not valid JSON'],
    ['a line nested too deep', `{}\n${'['.repeat(33)}`, 'Line 2 is nested more than 32 levels deep'],
  ])('refuses %s', (_what, text, message) => {
    expect(() => readLines(text)).toThrow(message);
  });

  it('points to repeated names as to other faults', () => {
    let refusal: unknown;
    try {
      readLines('{"id":"a"}\n\n{"id":"a","jobId":1,"id":"b"}');
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({
      code: 'malformed_json',
      message: 'Line 3 has duplicate keys; see "errors".',
      errors: [{ pointer: '#/events/1/id' }],
    });
  });

  it('refuses a line that is not UTF-8', () => {
    const attempt = () => readEvents(Uint8Array.of(0x7b, 0x7d, 0x0a, 0xff), { format: 'ndjson' });
    expect(attempt).toThrow('Line 2 is not valid UTF-8');
  });

  it('only counts the lines over the limit', () => {
    const text = `${'{}\n'.repeat(1000)}not JSON\n\n{`;
    expect((readLines(text) as { events: unknown[] }).events).toHaveLength(1002);
  });
});
