import { describe, expect, it } from '@jest/globals';
import { newCopy } from '../domain/copy.ts';
import { toCopyDocument } from '../store/application-document.ts';
import { applicationMessage, presentChanges } from './application-message.ts';

const DAY_MS = 24 * 3600_000;
const at = new Date('2026-03-10T15:15:00Z');
const failedAt = new Date('2026-03-10T16:00:00Z');
const sent = newCopy('a@example.com', 0, at.getTime());
const failed = { ...newCopy('b@example.com', 1, at.getTime()), state: 'failed', round: 2 } as const;

describe('presentChanges', () => {
  it('has that the application was received, and each copy that failed', () => {
    const copies = [sent, { ...failed, lastAttemptAt: failedAt.getTime() }].map(toCopyDocument);
    const document = {
      companyId: 3,
      job: { id: 4, title: 'Beekeeper' },
      receivedAt: at,
      source: null,
      copies,
    };
    const changes = presentChanges(document, at.getTime() + 7 * DAY_MS - 1);
    // Metrics may have forgotten that it counted it.
    expect(presentChanges(document, at.getTime() + 7 * DAY_MS).map(({ kind }) => kind)).toEqual([
      'copyFailed',
    ]);
    const common = { jobId: 4, companyId: 3 };
    expect(changes).toEqual([
      { ...common, kind: 'received', at },
      { ...common, kind: 'copyFailed', at: failedAt, copy: 1, round: 2 },
    ]);
    expect(changes.map((change) => applicationMessage(9, change)?.messageId)).toEqual([
      'application:9',
      'application:9:copy:1:2',
    ]);
  });
});

describe('presentChanges of an erased application', () => {
  it('has that it was erased', () => {
    const change = { kind: 'erased', jobId: 4, companyId: 3, at } as const;
    expect(presentChanges({ change }, at.getTime())).toEqual([change]);
    expect(applicationMessage(9, change)).toMatchObject({
      messageId: 'application:9:erased',
      payload: { applicationId: 9, jobId: 4, companyId: 3, at: at.toISOString() },
    });
  });
});

describe('the event of a received application', () => {
  const document = { companyId: 3, job: { id: 4, title: 'Beekeeper' }, receivedAt: at, copies: [] };
  const payloadOf = (source: string | null) =>
    presentChanges({ ...document, source }, at.getTime()).map(
      (change) => applicationMessage(9, change)?.payload,
    )[0];

  it.each(['indeed', 'search.example', 'a_b-c.9', 'x'.repeat(40)])('has the source %j', (source) => {
    expect(payloadOf(source)).toMatchObject({ applicationId: 9, source });
  });

  it.each([null, '', 'Indeed', 'Ada Park', 'ada@example.com', 'other', 'x'.repeat(41), 'naïve', 'a\n'])(
    'does not have %j, which stays with the application',
    (source) => {
      expect(payloadOf(source)).toEqual({ applicationId: 9, jobId: 4, companyId: 3, at: at.toISOString() });
    },
  );
});
