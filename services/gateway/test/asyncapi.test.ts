import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AsyncAPIDocumentInterface, Parser } from '@asyncapi/parser';
import { events, operations } from '@joblisting/contracts/permissions';
import { productVersion } from '@joblisting/service-kit';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
let answer: Awaited<ReturnType<typeof ask>>;
let document: AsyncAPIDocumentInterface | undefined;
let faults: readonly object[];
beforeAll(async () => {
  gateway = await startGateway();
  answer = await ask(`${gateway.origin}/asyncapi.json`);
  const parsed = await new Parser().parse(answer.text);
  document = parsed.document;
  faults = parsed.diagnostics.filter(({ code }) => code !== 'asyncapi-latest-version');
});
afterAll(() => gateway.stop());

describe('GET /asyncapi.json', () => {
  it('is a valid AsyncAPI 3.0 document of this version', () => {
    expect(faults).toEqual([]);
    expect([document?.version(), document?.info().version()]).toEqual(['3.0.0', productVersion]);
  });

  it('has the subject of every operation with its queue group, and of every event', () => {
    const described = document!
      .operations()
      .all()
      .map((operation) => {
        const queue = operation.bindings().get('nats')?.value<{ queue: string }>().queue;
        return `${operation.action()} ${operation.channels().all()[0]?.address()} ${queue ?? ''}`.trim();
      });
    expect(described.toSorted()).toEqual(
      [
        ...operations.map(({ subject, owner }) => `receive ${subject} ${owner}`),
        ...events.map(({ subject }) => `send ${subject}`),
      ].toSorted(),
    );
  });

  it('says how an event is stored, by what it is deduplicated, and who reads it', () => {
    const { channels, operations: described } = answer.body;
    expect(channels.jobClosed.description).toBe(
      'Stored in the stream `JOBS` for 7 days and up to 1024 MiB. A message id that came within 120 s is dropped.',
    );
    const { headers, payload } = channels.jobClosed.messages.event;
    expect(headers.properties['Nats-Msg-Id'].description).toBe('`job:<jobId>:<version>`');
    expect(payload).toEqual({ $ref: '#/components/schemas/JobChanged' });
    expect(described.jobClosed.description).toBe(
      'Sent by `jobs`, read by `events`, `site`. At least once, in any order.',
    );
  });

  it('has no format that JSON Schema does not know', () => {
    const formats = new Set([...answer.text.matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format));
    expect([...formats].toSorted()).toEqual(['date', 'date-time', 'email', 'uri']);
  });
});
