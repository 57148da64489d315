import { describe, expect, it } from '@jest/globals';
import { errorCodes, type ErrorCode, scopes, ServiceError, toErrorBody } from '@joblisting/contracts';
import { Refusal, ReplyEnvelope, RequestEnvelope } from '@joblisting/contracts/asyncapi';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import type { MsgHdrs } from 'nats';
import {
  type CallContext,
  decodeReply,
  decodeRequest,
  encodeError,
  encodeReply,
  encodeRequest,
} from './envelope.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const data = new Uint8Array();
const text = fc.string({ unit: 'binary' }).map((each) => each.toWellFormed());
const id = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const pointer = text.map((each) => `#/${each}`);
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const context: fc.Arbitrary<CallContext> = fc.record({
  requestId: text,
  deadline: fc.integer({ min: 1, max: 2 ** 31 }),
  principal: optional(
    fc.record({
      consumerId: id,
      scopes: fc.subarray([...scopes]),
      userId: fc.option(id),
      companyIds: fc.array(id),
    }),
  ),
  traceparent: optional(text),
  idempotencyKey: optional(text),
});

/** No value may end its header, or depend on how a client decodes it. */
function expectOneAsciiHeader(headers: MsgHdrs): void {
  expect(headers.keys()).toEqual(['Envelope']);
  expect(headers.get('Envelope')).toMatch(/^[\x20-\x7f]*$/);
}

/** Describes what an envelope has, and that it has nothing else. */
const described = (schema: object) =>
  new Ajv({ strict: false }).compile({ ...schema, additionalProperties: false });
const isRequest = described(RequestEnvelope);
const isReply = described(ReplyEnvelope);
const isRefusal = described(Refusal);
const envelopeIn = (headers: MsgHdrs): Record<string, unknown> =>
  JSON.parse(headers.get('Envelope')) as Record<string, unknown>;

describe('a request', () => {
  it('is decoded to what was encoded, from one header of ASCII', () => {
    const params = fc.dictionary(text, fc.oneof(text, id));
    fc.assert(
      fc.property(context, params, fc.uint8Array(), (sent, each, body) => {
        const headers = encodeRequest(sent, each);
        expectOneAsciiHeader(headers);
        const { params: _params, ...envelope } = envelopeIn(headers);
        expect([isRequest(envelope), isRequest.errors]).toEqual([true, null]);
        expect(decodeRequest({ headers, data: body })).toEqual({ ...sent, params: each, body });
      }),
    );
  });

  it('without an envelope is refused', () => {
    expect(() => decodeRequest({ data })).toThrow(SyntaxError);
  });
});

describe('a reply', () => {
  const warning = fc.record({ code: fc.constant('unknown_field' as const), detail: text, pointer });
  const meta = fc.record({
    outcome: fc.constantFrom('ok' as const, 'created' as const, 'accepted' as const, 'deleted' as const),
    version: optional(id),
    id: optional(id),
    warnings: optional(fc.array(warning)),
    replayed: optional(fc.boolean()),
    paging: optional(fc.record({ page: id, pageSize: id, total: id, pages: id })),
    cursor: optional(fc.record({ next: text, hasMore: fc.boolean() })),
    file: optional(fc.record({ name: text, type: text })),
  });

  it('is decoded to what was encoded, from one header of ASCII', () => {
    fc.assert(
      fc.property(meta, (sent) => {
        const headers = encodeReply(sent);
        expectOneAsciiHeader(headers);
        expect([isReply(envelopeIn(headers)), isReply.errors]).toEqual([true, null]);
        expect(decodeReply({ headers, data })).toEqual({ ...sent, data });
      }),
    );
  });

  it('of an error throws that error', () => {
    const codes = fc.constantFrom(...(Object.keys(errorCodes) as ErrorCode[]));
    fc.assert(
      fc.property(codes, text, pointer, (code, detail, at) => {
        const errors = [{ pointer: at, code: 'type' as const, detail }];
        const sent = new ServiceError(code, detail, { errors, reason: 'deadline' });
        const headers = encodeError(toErrorBody(sent));
        expectOneAsciiHeader(headers);
        const { error } = envelopeIn(headers);
        expect([isRefusal(error), isRefusal.errors]).toEqual([true, null]);
        expect(() => decodeReply({ headers, data })).toThrow(sent);
        expect(() => decodeReply({ headers, data })).toThrow(
          expect.objectContaining({ code, errors, reason: 'deadline' }),
        );
      }),
    );
  });
});
