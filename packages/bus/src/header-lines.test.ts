import { describe, expect, it } from '@jest/globals';
import { type Msg, MsgHdrsImpl } from 'nats';
import { HeaderLines, headerValues, isNoResponders } from './header-lines.ts';

/** A message as the client makes it of what it has read from its socket, where it stands among other bytes. */
function received(headers: Uint8Array, payload = 'payload') {
  const before = Buffer.from('MSG before');
  const all = Buffer.concat([before, headers, Buffer.from(payload)]);
  const _rdata = new Uint8Array(all.buffer, all.byteOffset + before.length, headers.length + payload.length);
  const message = { _rdata, _msg: { hdr: headers.length } };
  return message as unknown as Msg;
}
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

  it('are left out where they are undefined', () => {
    expect(headerValues(received(new HeaderLines({ a: undefined, b: '' }).encode()))).toEqual({ b: '' });
  });

  it.each(['a\nb', 'a\r\nEvil: yes', '\r'])('are refused with a line break: %j', (value) => {
    expect(() => new HeaderLines({ name: value })).toThrow('the header name has a line break');
  });

  it.each([
    ['several values', 'NATS/1.0\r\na: 1\r\na: 2\r\n\r\n', { a: '1' }],
    ['spaces around a value', 'NATS/1.0\r\na:  1 \r\nb:2\r\n\r\n', { a: '1', b: '2' }],
    ['none', 'NATS/1.0\r\n\r\n', {}],
    ['a status', 'NATS/1.0 503 No Responders\r\na: 1\r\n\r\n', { a: '1' }],
    ['a line that is none', 'NATS/1.0\r\nno header\r\n: nameless\r\na: 1\r\n\r\n', { a: '1' }],
    ['names that every object has', 'NATS/1.0\r\n__proto__: 1\r\na: 1\r\n\r\n', { a: '1' }],
    ['no end', 'NATS/1.0\r\na: 1\r\nb: 2', { a: '1' }],
    ['more than ASCII', 'NATS/1.0\r\na: straße\r\n\r\n', { a: 'straße' }],
  ])('with %s', (_what, text, expected) => {
    expect(headerValues(received(lines(text)))).toEqual(expected);
  });

  it('are read from the object of a client that keeps them elsewhere', () => {
    const headers = new MsgHdrsImpl();
    headers.append('a', '1');
    headers.append('a', '2');
    expect(headerValues({ headers } as unknown as Msg)).toEqual({ a: '1' });
  });

  it('are none where there are none', () => {
    expect(headerValues({ _rdata: lines('payload'), _msg: { hdr: -1 } } as unknown as Msg)).toEqual({});
  });
});

describe('the answer that nobody serves a subject', () => {
  it.each([
    ['NATS/1.0 503\r\n\r\n', true],
    ['NATS/1.0 503 No Responders\r\n\r\n', true],
    ['NATS/1.0 408 Request Timeout\r\n\r\n', false],
    ['NATS/1.0\r\nReply: 503\r\n\r\n', false],
  ])('%j: %s', (text, expected) => {
    expect(isNoResponders(received(lines(text), ''))).toBe(expected);
  });

  it('is known by the object of a client that keeps headers elsewhere', () => {
    expect(isNoResponders({ headers: new MsgHdrsImpl(503, 'No Responders') } as unknown as Msg)).toBe(true);
    expect(isNoResponders({} as Msg)).toBe(false);
  });
});
