import { describe, expect, it } from '@jest/globals';
import { errorCodes, type ErrorCode, scopes, ServiceError, toErrorBody } from '@joblisting/contracts';
import * as fc from 'fast-check';
import { MsgHdrsImpl } from 'nats';
import { receivedMessage } from '../tools/received-message.ts';
import type { HeaderLines } from './header-lines.ts';
import {
  type CallContext,
  decodeReply,
  decodeRequest,
  encodeRefusal,
  encodeReply,
  encodeRequest,
} from './wire.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const text = fc.string({ unit: 'binary' }).map((each) => each.toWellFormed());
const ascii = fc.string({ unit: fc.constantFrom(...Array.from('!#$%&*+-./09:<=>?@AZ_az~')), minLength: 1 });
const id = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const principal = fc.record({
  consumerId: id,
  scopes: fc.subarray([...scopes]),
  userId: fc.option(id),
  companyIds: fc.array(id),
});
const context: fc.Arbitrary<CallContext> = fc.record({
  requestId: ascii,
  deadline: fc.integer({ min: 1, max: 2 ** 31 }),
  principal: fc.option(principal, { nil: undefined }),
  traceparent: fc.option(ascii, { nil: undefined }),
  idempotencyKey: fc.option(ascii, { nil: undefined }),
});
const params = fc.dictionary(text, fc.oneof(text, id));

/** What is on the wire, by the client's own reader: a line for each header, which no value may break. */
function expectOneLineEach(lines: HeaderLines): void {
  const headers = MsgHdrsImpl.decode(lines.encode());
  for (const name of headers.keys()) expect(headers.get(name)).toMatch(/^[ -~]*$/);
}

describe('a request', () => {
  it('arrives as it was sent, in headers of plain ASCII', () => {
    fc.assert(
      fc.property(context, params, fc.uint8Array(), (sent, each, body) => {
        const headers = encodeRequest(sent, each);
        expectOneLineEach(headers);
        expect(decodeRequest(receivedMessage(headers.encode(), body))).toEqual({
          ...sent,
          params: each,
          body,
        });
      }),
    );
  });
});

describe('who asks', () => {
  const decoded = (companyIds: number[]) => {
    const principal = { consumerId: 1, scopes: [...scopes], userId: null, companyIds };
    const headers = encodeRequest({ requestId: 'r-1', deadline: 1, principal }, {});
    return decodeRequest(receivedMessage(headers.encode())).principal;
  };

  it('is one object for all requests of the same, which nobody can change', () => {
    const principal = decoded([1, 2]);
    expect(decoded([1, 2])).toBe(principal);
    expect(decoded([1])).not.toBe(principal);
    expect(() => principal?.companyIds.push(3)).toThrow(TypeError);
    expect(() => Object.assign(principal ?? {}, { consumerId: 2 })).toThrow(TypeError);
  });

  it('is read each time where it is long', () => {
    const many = Array.from({ length: 500 }, (_, index) => 100_000 + index);
    expect(decoded(many)).toMatchObject({ companyIds: many });
    expect(decoded(many)).not.toBe(decoded(many));
  });
});

describe('a reply', () => {
  const warning = fc.record({ code: fc.constant('unknown_field' as const), detail: text, pointer: text });
  const meta = fc.record({
    outcome: fc.constantFrom('ok' as const, 'created' as const, 'deleted' as const),
    version: fc.option(id, { nil: undefined }),
    id: fc.option(id, { nil: undefined }),
    warnings: fc.option(fc.array(warning), { nil: undefined }),
    replayed: fc.option(fc.boolean(), { nil: undefined }),
  });

  it('arrives as it was sent, in headers of plain ASCII', () => {
    fc.assert(
      fc.property(meta, (sent) => {
        const headers = encodeReply(sent);
        expectOneLineEach(headers);
        expect(decodeReply(receivedMessage(headers.encode()))).toEqual({ meta: sent });
      }),
    );
  });

  it('that says what others do is one object for all of them, which nobody can change', () => {
    const decoded = (version: number, id?: number) => {
      const headers = encodeReply({ outcome: 'ok', version, id, warnings: [] });
      const reply = decodeReply(receivedMessage(headers.encode()));
      return 'meta' in reply ? reply.meta : undefined;
    };
    const reply = decoded(3);
    expect(decoded(3)).toBe(reply);
    expect(decoded(4)).toMatchObject({ version: 4 });
    expect(() => Object.assign(reply ?? {}, { version: 5 })).toThrow(TypeError);
    expect(reply?.warnings).toEqual([]);
    expect(Object.isFrozen(reply?.warnings)).toBe(true);
    expect(decoded(3, 1_000_000)).not.toBe(decoded(3, 1_000_000));
  });

  it('is not taken for another one whose letters end in the same byte', () => {
    const odd = 'Reply: {"outcome":"ok","versio\u016e":9}\r\n';
    decodeReply(receivedMessage(Buffer.from(`NATS/1.0\r\n${odd}\r\n`)));
    const reply = decodeReply(receivedMessage(encodeReply({ outcome: 'ok', version: 9 }).encode()));
    expect(reply).toEqual({ meta: { outcome: 'ok', version: 9 } });
  });

  it('of refusal arrives with all that it says', () => {
    const codes = fc.constantFrom(...(Object.keys(errorCodes) as ErrorCode[]));
    fc.assert(
      fc.property(codes, text, text, (code, detail, pointer) => {
        const violation = { pointer, code: 'type' as const, detail };
        const refusal = toErrorBody(new ServiceError(code, detail, { errors: [violation] }));
        const message = receivedMessage(encodeRefusal(refusal).encode(), JSON.stringify(refusal));
        expect(decodeReply(message)).toEqual({ refusal });
      }),
    );
  });
});
