import { describe, expect, it } from '@jest/globals';
import { type Msg, MsgHdrsImpl } from 'nats';
import { receivedMessage as received } from '../tools/received-message.ts';
import { HeaderLines, headerOf, headerText, isNoResponders } from './header-lines.ts';

const forService = (message: Msg) => ({ msg: message }) as unknown as Msg;
const lines = (text: string) => Buffer.from(text);

const values = {
  'Request-Id': 'r:1',
  Deadline: '1700000000000',
  traceparent: '00-a-b-01',
  Params: '{"a":"b: c"}',
};

const allLines = Object.entries(values)
  .map(([name, value]) => headerOf(name).line(value))
  .join('');
const readFrom = (message: Parameters<typeof headerText>[0], names: readonly string[]) => {
  const text = headerText(message);
  return Object.fromEntries(names.map((name) => [name, headerOf(name).valueIn(text)]));
};

describe('headers', () => {
  it('are read by the client as they were written', () => {
    const read = MsgHdrsImpl.decode(new HeaderLines(allLines).encode());
    expect(Object.fromEntries([...read].map(([name, [first]]) => [name, first]))).toEqual(values);
  });

  it('are the bytes that the client itself would write', () => {
    const written = new MsgHdrsImpl();
    for (const [name, value] of Object.entries(values)) written.append(name, value);
    expect(Buffer.from(new HeaderLines(allLines).encode())).toEqual(Buffer.from(written.encode()));
  });

  it.each([
    ['a message', received],
    ['a message for a service', (headers: Uint8Array) => forService(received(headers))],
  ])('of %s are read as they were written, by the client too', (_what, of) => {
    const written = new MsgHdrsImpl();
    for (const [name, value] of Object.entries(values)) written.append(name, value);
    expect(readFrom(of(written.encode()), Object.keys(values))).toEqual(values);
    expect(readFrom(of(new HeaderLines(allLines).encode()), Object.keys(values))).toEqual(values);
  });

  it('are left out where there is no value', () => {
    const headers = new HeaderLines(headerOf('b').lineIfAny(undefined) + headerOf('c').lineIfAny(''));
    expect(readFrom(received(headers.encode()), ['b', 'c'])).toEqual({ b: undefined, c: '' });
  });

  it('are not written without a value that is required', () => {
    expect(() => headerOf('name').line(undefined as unknown as string)).toThrow(TypeError);
  });

  it.each(['a\nb', 'a\r\nEvil: yes', '\r'])('are refused with a line break: %j', (value) => {
    const message = 'the header name has a line break';
    expect(() => headerOf('name').line(value)).toThrow(message);
    expect(() => headerOf('name').lineIfAny(value)).toThrow(message);
  });

  it.each([
    ['several values', 'NATS/1.0\r\na: 1\r\na: 2\r\n\r\n', { a: '1' }],
    ['spaces around a value', 'NATS/1.0\r\na:  1 \r\nb:2\r\n\r\n', { a: '1', b: '2' }],
    ['none', 'NATS/1.0\r\n\r\n', { a: undefined }],
    ['a status', 'NATS/1.0 503 No Responders\r\na: 1\r\n\r\n', { a: '1' }],
    [
      'a line that is none',
      'NATS/1.0\r\nno header\r\n: nameless\r\na: 1\r\n\r\n',
      { a: '1', 'no header': undefined },
    ],
    ['a name in a value, or at the end of one', 'NATS/1.0\r\nb: a: 1\r\nba: 2\r\na: 3\r\n\r\n', { a: '3' }],
    ['another case', 'NATS/1.0\r\nA: 1\r\n\r\n', { a: undefined, A: '1' }],
    ['nothing after the name', 'NATS/1.0\r\na:\r\nb: 1\r\n\r\n', { a: '', b: '1' }],
    [
      'a value that could not be sent on',
      'NATS/1.0\r\na: 1\n2\r\nb: 1\r2\r\nc: 1\r\n\r\n',
      { a: undefined, b: undefined, c: '1' },
    ],
    ['one of two that could be sent on', 'NATS/1.0\r\na: 1\n2\r\na: 3\r\n\r\n', { a: '3' }],
    ['no end', 'NATS/1.0\r\na: 1\r\nb: 2', { a: '1', b: undefined }],
    ['no line', 'NATS/1.0', { a: undefined }],
    ['lines after their end', 'NATS/1.0\r\na: 1\r\n\r\nb: 2\r\n\r\n', { a: '1', b: undefined }],
    ['more than ASCII', 'NATS/1.0\r\na: straße\r\n\r\n', { a: 'straße' }],
  ])('with %s', (_what, text, expected) => {
    expect(readFrom(received(lines(text)), Object.keys(expected))).toEqual(expected);
  });

  it('are read from the object of a client that keeps them elsewhere', () => {
    const headers = new MsgHdrsImpl();
    headers.append('a', '1');
    headers.append('a', '2');
    const unread = MsgHdrsImpl.fromRecord({ none: [], evil: ['x\r\nb: 1'] });
    expect(readFrom({ headers }, ['a', 'b'])).toEqual({ a: '1', b: undefined });
    expect(readFrom({ headers: unread }, ['none', 'evil', 'b'])).toEqual({
      none: undefined,
      evil: undefined,
      b: undefined,
    });
    expect(readFrom({}, ['a'])).toEqual({ a: undefined });
  });

  it.each([-1, 0, undefined, 18])('are never read from the payload: %s bytes of them', (hdr) => {
    const message = { _rdata: lines('x\r\nPrincipal: 1'), _msg: { hdr } };
    expect(readFrom(message as unknown as Msg, ['Principal', 'x'])).toEqual({});
  });
});

describe('the answer that nobody serves a subject', () => {
  it.each([
    ['NATS/1.0 503\r\n\r\n', true],
    ['NATS/1.0 503 No Responders\r\n\r\n', true],
    ['NATS/1.0 5030\r\n\r\n', false],
    ['NATS/1.0 503', false],
    ['NATS/1.0 408 Request Timeout\r\n\r\n', false],
    ['NATS/1.0\r\nReply: 503\r\n\r\n', false],
  ])('%j: %s', (text, expected) => {
    expect(isNoResponders(received(lines(text), ''))).toBe(expected);
  });

  it('is known by the object of a client that keeps headers elsewhere', () => {
    expect(isNoResponders({ headers: new MsgHdrsImpl(503, 'No Responders') })).toBe(true);
    expect(isNoResponders({})).toBe(false);
  });
});
