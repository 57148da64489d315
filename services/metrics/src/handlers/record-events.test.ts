import { describe, expect, it } from '@jest/globals';
import { UnreadableLine } from '../domain/rejections.ts';
import { readEvents } from './record-events.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const readLines = (text: string) => readEvents(bytes(text), { format: 'ndjson' });
/** For each line the rejection, if it could not be read. */
const rejectionsOf = (body: Uint8Array) =>
  (readEvents(body, { format: 'ndjson' }) as { events: unknown[] }).events.map((event, index) =>
    event instanceof UnreadableLine ? event.rejection(index) : undefined,
  );

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

  it('refuses an empty body', () => {
    expect(() => readLines('')).toThrow('The body is empty');
  });

  it.each([
    ['ends too early', '{}\n\n{"a":\n', 'Line 3 is not valid JSON'],
    ['has two objects', '{}\n{"a":1}{"b":2}', 'Line 2 is not valid JSON'],
    ['is nested too deep', `{}\n${'['.repeat(33)}`, 'Line 2 is nested more than 32 levels deep'],
  ])('keeps the place of a line that %s', (_what, text, detail) => {
    expect(rejectionsOf(bytes(`${text}\n{"b":2}`))).toEqual([
      undefined,
      { index: 1, code: 'invalid_event', pointer: '#/events/1', detail: expect.stringContaining(detail) },
      undefined,
    ]);
  });

  it('points to repeated names in a line', () => {
    expect(rejectionsOf(bytes('{"id":"a"}\n\n{"id":"a","jobId":1,"id":"b"}'))[1]).toEqual({
      index: 1,
      code: 'invalid_event',
      pointer: '#/events/1/id',
      detail: 'This key is a duplicate.',
    });
  });

  it('keeps the place of a line that is not UTF-8', () => {
    const [, rejection] = rejectionsOf(Uint8Array.of(0x7b, 0x7d, 0x0a, 0xff));
    expect(rejection?.detail).toBe('Line 2 is not valid UTF-8.');
  });

  it('only counts the lines over the limit', () => {
    const text = `${'{}\n'.repeat(1000)}not JSON\n\n{`;
    expect((readLines(text) as { events: unknown[] }).events).toHaveLength(1002);
  });
});
