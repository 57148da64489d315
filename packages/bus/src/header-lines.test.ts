import { describe, expect, it } from '@jest/globals';
import { type Msg, MsgHdrsImpl } from 'nats';
import { receivedMessage as received } from '../tools/received-message.ts';
import { HeaderLines, headerValues, isNoResponders } from './header-lines.ts';

const forService = (message: Msg) => ({ msg: message }) as unknown as Msg;
const lines = (text: string) => Buffer.from(text);

const values = {
  'Request-Id': 'r:1',
  Deadline: '1700000000000',
  traceparent: '00-a-b-01',
  Params: '{"a":"b: c"}',
};

describe('headers', () => {
  it('are read by the client as they were written', () => {
    const read = MsgHdrsImpl.decode(new HeaderLines(values).encode());
    expect(Object.fromEntries([...read].map(([name, [first]]) => [name, first]))).toEqual(values);
  });

  it.each([
    ['a message', received],
    ['a message for a service', (headers: Uint8Array) => forService(received(headers))],
  ])('of %s are read as they were written, by the client too', (_what, of) => {
    const written = new MsgHdrsImpl();
    for (const [name, value] of Object.entries(values)) written.append(name, value);
    expect(headerValues(of(written.encode()))).toEqual(values);
    expect(headerValues(of(new HeaderLines(values).encode()))).toEqual(values);
  });

  it('are left out where they are undefined and optional', () => {
    const headers = new HeaderLines({ a: '1' }, { b: undefined, c: '' });
    expect(headerValues(received(headers.encode()))).toEqual({ a: '1', c: '' });
  });

  it('are not written without one that is required', () => {
    const incomplete = { name: undefined } as unknown as Record<string, string>;
    expect(() => new HeaderLines(incomplete)).toThrow(TypeError);
  });

  it.each(['a\nb', 'a\r\nEvil: yes', '\r'])('are refused with a line break: %j', (value) => {
    const message = 'the header name has a line break';
    expect(() => new HeaderLines({ name: value })).toThrow(message);
    expect(() => new HeaderLines({}, { name: value })).toThrow(message);
  });

  it.each([
    ['several values', 'NATS/1.0\r\na: 1\r\na: 2\r\n\r\n', { a: '1' }],
    ['spaces around a value', 'NATS/1.0\r\na:  1 \r\nb:2\r\n\r\n', { a: '1', b: '2' }],
    ['none', 'NATS/1.0\r\n\r\n', {}],
    ['a status', 'NATS/1.0 503 No Responders\r\na: 1\r\n\r\n', { a: '1' }],
    ['a line that is none', 'NATS/1.0\r\nno header\r\n: nameless\r\na: 1\r\n\r\n', { a: '1' }],
    ['names that every object has', 'NATS/1.0\r\n__proto__: 1\r\na: 1\r\n\r\n', { a: '1' }],
    ['a value that could not be sent on', 'NATS/1.0\r\na: 1\n2\r\nb: 1\r2\r\nc: 1\r\n\r\n', { c: '1' }],
    ['no end', 'NATS/1.0\r\na: 1\r\nb: 2', { a: '1' }],
    ['more than ASCII', 'NATS/1.0\r\na: straße\r\n\r\n', { a: 'straße' }],
  ])('with %s', (_what, text, expected) => {
    expect(headerValues(received(lines(text)))).toEqual(expected);
  });

  it('are read from the object of a client that keeps them elsewhere', () => {
    const headers = new MsgHdrsImpl();
    headers.append('a', '1');
    headers.append('a', '2');
    expect(headerValues({ headers })).toEqual({ a: '1' });
  });

  it.each([-1, 0, undefined, 18])('are never read from the payload: %s bytes of them', (hdr) => {
    const message = { _rdata: lines('x\r\nPrincipal: 1'), _msg: { hdr } };
    expect(headerValues(message as unknown as Msg)).toEqual({});
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
