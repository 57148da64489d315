import { describe, expect, it } from '@jest/globals';
import type { Finding } from './change.ts';
import { compareContracts } from './contracts.ts';
import type { ReleasedEvent, ReleasedOperation, ReleasedStream, Snapshot } from './snapshot.ts';

const id = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
const operation: ReleasedOperation = {
  name: 'getThing',
  queue: 'things',
  params: id,
  body: null,
  reply: id,
  errors: ['thing_not_found'],
  takesIdempotencyKey: true,
};
const event: ReleasedEvent = { name: 'thingMade', stream: 'THINGS', payload: id };
const stream: ReleasedStream = { subjects: ['things.>'], maxAgeMs: 2, maxBytes: 2, duplicateWindowMs: 2 };
const released: Snapshot = {
  version: '1.0.0',
  operations: { 'things.v1.get': operation },
  events: { 'things.v1.event.made': event },
  streams: { THINGS: stream },
  consumers: { 'THINGS others': 'things.v1.event.made' },
  errorCodes: { thing_not_found: 'notFound' },
  violationCodes: ['required'],
  warningCodes: ['unknown_field'],
  headers: { principal: id, paging: id },
};

const withOperation = (change: Partial<ReleasedOperation>): Snapshot => ({
  ...released,
  operations: { 'things.v1.get': { ...operation, ...change } },
});
const withEvent = (change: Partial<ReleasedEvent>): Snapshot => ({
  ...released,
  events: { 'things.v1.event.made': { ...event, ...change } },
});
const withStream = (change: Partial<ReleasedStream>): Snapshot => ({
  ...released,
  streams: { THINGS: { ...stream, ...change } },
});
const optional = { ...id, required: [] };
const more = { ...id, properties: { ...id.properties, name: { type: 'string' } } };
const none = { ...id, properties: {}, required: [] };

const pointers = (findings: readonly Finding[], breaking: boolean) =>
  findings.filter((each) => each.breaking === breaking).map(({ pointer }) => pointer);

const GET = '/operations/things.v1.get';
const MADE = '/events/things.v1.event.made';

describe('compareContracts', () => {
  it('finds nothing where nothing changed', () => {
    expect(compareContracts(released, structuredClone(released))).toEqual([]);
  });

  it.each<[string, Snapshot, string]>([
    ['an operation is gone', { ...released, operations: {} }, GET],
    ['its subject changed', { ...released, operations: { 'things.v2.get': operation } }, GET],
    ['its queue group changed', withOperation({ queue: 'others' }), `${GET}/queue`],
    ['a parameter is gone', withOperation({ params: none }), `${GET}/params/properties/id`],
    ['a body is required', withOperation({ body: id }), `${GET}/body`],
    ['a field of the reply may be missing', withOperation({ reply: optional }), `${GET}/reply/required`],
    ['a field of the reply is gone', withOperation({ reply: none }), `${GET}/reply/properties/id`],
    ['the reply is gone', withOperation({ reply: null }), `${GET}/reply`],
    [
      'it takes no Idempotency-Key',
      withOperation({ takesIdempotencyKey: false }),
      `${GET}/takesIdempotencyKey`,
    ],
    ['an event is gone', { ...released, events: {} }, MADE],
    ['its stream changed', withEvent({ stream: 'OTHERS' }), `${MADE}/stream`],
    ['a field of it may be missing', withEvent({ payload: optional }), `${MADE}/payload/required`],
    ['a stream is gone', { ...released, streams: {} }, '/streams/THINGS'],
    ['a stream takes less', withStream({ subjects: [] }), '/streams/THINGS/subjects'],
    ['a stream keeps less long', withStream({ maxAgeMs: 1 }), '/streams/THINGS/maxAgeMs'],
    ['a stream keeps less', withStream({ maxBytes: 1 }), '/streams/THINGS/maxBytes'],
    ['a stream folds less', withStream({ duplicateWindowMs: 1 }), '/streams/THINGS/duplicateWindowMs'],
    ['a durable consumer is gone', { ...released, consumers: {} }, '/consumers/THINGS others'],
    [
      'a durable consumer takes something else',
      { ...released, consumers: { 'THINGS others': 'things.v1.event.lost' } },
      '/consumers/THINGS others',
    ],
    ['an error code is gone', { ...released, errorCodes: {} }, '/errorCodes/thing_not_found'],
    [
      'an error code is of another kind',
      { ...released, errorCodes: { thing_not_found: 'invalid' } },
      '/errorCodes/thing_not_found',
    ],
    ['a violation code is gone', { ...released, violationCodes: [] }, '/violationCodes'],
    ['a warning code is gone', { ...released, warningCodes: [] }, '/warningCodes'],
    [
      'a header lost a field',
      { ...released, headers: { principal: none, paging: id } },
      '/headers/principal/properties/id',
    ],
    [
      'paging guarantees less',
      { ...released, headers: { principal: id, paging: optional } },
      '/headers/paging/required',
    ],
  ])('breaks: %s', (_name, today, pointer) => {
    expect(pointers(compareContracts(released, today), true)).toEqual([pointer]);
  });

  it.each<[string, Snapshot, string]>([
    [
      'an operation',
      { ...released, operations: { ...released.operations, 'things.v2.get': operation } },
      '/operations/things.v2.get',
    ],
    ['an optional parameter', withOperation({ params: more }), `${GET}/params/properties/name`],
    ['a parameter may be left out', withOperation({ params: optional }), `${GET}/params/required`],
    ['a field of the reply', withOperation({ reply: more }), `${GET}/reply/properties/name`],
    [
      'an error code of an operation',
      withOperation({ errors: ['thing_not_found', 'internal'] }),
      `${GET}/errors`,
    ],
    ['one error code less', withOperation({ errors: [] }), `${GET}/errors`],
    ['an optional field of an event', withEvent({ payload: more }), `${MADE}/payload/properties/name`],
    ['a stream that keeps longer', withStream({ maxAgeMs: 3 }), '/streams/THINGS/maxAgeMs'],
    [
      'an error code',
      { ...released, errorCodes: { ...released.errorCodes, internal: 'internal' } },
      '/errorCodes/internal',
    ],
    [
      'a durable consumer',
      { ...released, consumers: { ...released.consumers, 'THINGS more': 'things.v1.event.made' } },
      '/consumers/THINGS more',
    ],
    ['a violation code', { ...released, violationCodes: ['required', 'type'] }, '/violationCodes'],
    ['a warning code', { ...released, warningCodes: ['unknown_field', 'moved'] }, '/warningCodes'],
  ])('goes, with a note: %s', (_name, today, pointer) => {
    const findings = compareContracts(released, today);
    expect(pointers(findings, true)).toEqual([]);
    expect(pointers(findings, false)).toEqual([pointer]);
  });

  it('goes both ways for events: what is required now is not in the stored ones', () => {
    const today = withEvent({ payload: { ...more, required: ['id', 'name'] } });
    expect(pointers(compareContracts(released, today), true)).toEqual([`${MADE}/payload/required`]);
  });

  it('says where an operation moved', () => {
    const [finding] = compareContracts(released, { ...released, operations: { 'things.v2.get': operation } });
    expect(finding?.what).toBe('things.v1.get moved to things.v2.get');
  });

  it('lets a retired subject go', () => {
    const retired = [{ subject: 'things.v1.get', why: 'all callers use things.v2.get since 1.2.0' }];
    const findings = compareContracts(released, { ...released, operations: {} }, retired);
    expect(findings.map(({ breaking, why }) => [breaking, why])).toEqual([[false, retired[0]?.why]]);
  });
});
