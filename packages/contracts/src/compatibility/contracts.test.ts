import { describe, expect, it } from '@jest/globals';
import type { Finding } from './findings.ts';
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
  it('finds nothing without a change', () => {
    expect(compareContracts(released, structuredClone(released))).toEqual([]);
  });

  it.each<[string, Snapshot, string]>([
    ['an operation is removed', { ...released, operations: {} }, GET],
    ['an operation has another subject', { ...released, operations: { 'things.v2.get': operation } }, GET],
    ['an operation has another queue group', withOperation({ queue: 'others' }), `${GET}/queue`],
    ['a parameter is removed', withOperation({ params: none }), `${GET}/params/properties/id`],
    ['a body is required', withOperation({ body: id }), `${GET}/body`],
    ['a field of the reply may be missing', withOperation({ reply: optional }), `${GET}/reply/required`],
    ['a field of the reply is removed', withOperation({ reply: none }), `${GET}/reply/properties/id`],
    ['the reply is removed', withOperation({ reply: null }), `${GET}/reply`],
    [
      'an operation no longer accepts an Idempotency-Key',
      withOperation({ takesIdempotencyKey: false }),
      `${GET}/takesIdempotencyKey`,
    ],
    ['an event is removed', { ...released, events: {} }, MADE],
    ['an event has another stream', withEvent({ stream: 'OTHERS' }), `${MADE}/stream`],
    ['a field of an event may be missing', withEvent({ payload: optional }), `${MADE}/payload/required`],
    ['a stream is removed', { ...released, streams: {} }, '/streams/THINGS'],
    ['a stream has fewer subjects', withStream({ subjects: [] }), '/streams/THINGS/subjects'],
    ['a stream stores messages for a shorter time', withStream({ maxAgeMs: 1 }), '/streams/THINGS/maxAgeMs'],
    ['a stream stores fewer bytes', withStream({ maxBytes: 1 }), '/streams/THINGS/maxBytes'],
    [
      'a stream detects duplicates for a shorter time',
      withStream({ duplicateWindowMs: 1 }),
      '/streams/THINGS/duplicateWindowMs',
    ],
    ['a durable consumer is removed', { ...released, consumers: {} }, '/consumers/THINGS others'],
    [
      'a durable consumer reads another subject',
      { ...released, consumers: { 'THINGS others': 'things.v1.event.lost' } },
      '/consumers/THINGS others',
    ],
    ['an error code is removed', { ...released, errorCodes: {} }, '/errorCodes/thing_not_found'],
    [
      'an error code is of another kind',
      { ...released, errorCodes: { thing_not_found: 'invalid' } },
      '/errorCodes/thing_not_found',
    ],
    ['a violation code is removed', { ...released, violationCodes: [] }, '/violationCodes'],
    ['a warning code is removed', { ...released, warningCodes: [] }, '/warningCodes'],
    [
      'a field of a header is removed',
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
      'a new operation',
      { ...released, operations: { ...released.operations, 'things.v2.get': operation } },
      '/operations/things.v2.get',
    ],
    ['a new optional parameter', withOperation({ params: more }), `${GET}/params/properties/name`],
    ['a parameter becomes optional', withOperation({ params: optional }), `${GET}/params/required`],
    ['a new field of the reply', withOperation({ reply: more }), `${GET}/reply/properties/name`],
    [
      'a new error code of an operation',
      withOperation({ errors: ['thing_not_found', 'internal'] }),
      `${GET}/errors`,
    ],
    ['a removed error code of an operation', withOperation({ errors: [] }), `${GET}/errors`],
    ['a new optional field of an event', withEvent({ payload: more }), `${MADE}/payload/properties/name`],
    ['a stream stores messages for a longer time', withStream({ maxAgeMs: 3 }), '/streams/THINGS/maxAgeMs'],
    [
      'a new error code',
      { ...released, errorCodes: { ...released.errorCodes, internal: 'internal' } },
      '/errorCodes/internal',
    ],
    [
      'a new durable consumer',
      { ...released, consumers: { ...released.consumers, 'THINGS more': 'things.v1.event.made' } },
      '/consumers/THINGS more',
    ],
    ['a new violation code', { ...released, violationCodes: ['required', 'type'] }, '/violationCodes'],
    ['a new warning code', { ...released, warningCodes: ['unknown_field', 'moved'] }, '/warningCodes'],
  ])('notes: %s', (_name, today, pointer) => {
    const findings = compareContracts(released, today);
    expect(pointers(findings, true)).toEqual([]);
    expect(pointers(findings, false)).toEqual([pointer]);
  });

  it('breaks: an event requires a field that stored messages lack', () => {
    const today = withEvent({ payload: { ...more, required: ['id', 'name'] } });
    expect(pointers(compareContracts(released, today), true)).toEqual([`${MADE}/payload/required`]);
  });

  it('names the new subject of a moved operation', () => {
    const [finding] = compareContracts(released, { ...released, operations: { 'things.v2.get': operation } });
    expect(finding?.what).toBe('things.v1.get moved to things.v2.get');
  });

  it('notes the removal of a retired subject', () => {
    const retired = [{ subject: 'things.v1.get', why: 'all callers use things.v2.get since 1.2.0' }];
    const findings = compareContracts(released, { ...released, operations: {} }, retired);
    expect(findings.map(({ breaking, why }) => [breaking, why])).toEqual([[false, retired[0]?.why]]);
  });
});
