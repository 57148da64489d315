import {
  type ApplicationReceived,
  applicationReceived,
  type CopyFailed,
  copyFailed,
} from '@joblisting/contracts';
import type { RelayMessage } from '@joblisting/service-kit/mongo';
import { sourceOfEvent } from '../domain/application.ts';
import type { ApplicationDocument, ChangeDocument } from '../models/application.ts';

/** The event of a change; undefined if this release cannot read the change. */
export function applicationMessage(
  applicationId: number,
  { kind, jobId, companyId, at, source, copy, round }: ChangeDocument,
): RelayMessage<ApplicationReceived> | RelayMessage<CopyFailed> | undefined {
  if (!(at instanceof Date)) return undefined;
  const fact = { applicationId, jobId, companyId, at: at.toISOString() };
  if (kind === 'received') {
    const payload = { ...fact, ...sourceOfEvent(source) };
    return { event: applicationReceived, payload, messageId: `application:${applicationId}` };
  }
  if (typeof copy !== 'number' || typeof round !== 'number') return undefined;
  const messageId = `application:${applicationId}:copy:${copy}:${round}`;
  return { event: copyFailed, payload: { ...fact, copy, round }, messageId };
}

/** What `presentChanges` reads of a document. */
export const presentFields = { companyId: 1, 'job.id': 1, receivedAt: 1, source: 1, copies: 1 } as const;

/** Older applications were counted long ago, and metrics forgets event ids after 8 days: it would count them again. */
const RECEIVED_WITHIN_MS = 7 * 24 * 3600_000;

/** The changes that a document tells at `now`, for a relay that has lost its position in the oplog. */
export function presentChanges(
  {
    companyId,
    job,
    receivedAt,
    source,
    copies,
  }: Pick<ApplicationDocument, 'companyId' | 'job' | 'receivedAt' | 'source' | 'copies'>,
  now: number,
): ChangeDocument[] {
  const jobId = job.id;
  const isRecent = now - receivedAt.getTime() < RECEIVED_WITHIN_MS;
  const failed = copies.filter(({ state }) => state === 'failed');
  return [
    ...(isRecent
      ? [{ kind: 'received', jobId, companyId, at: receivedAt, ...sourceOfEvent(source) } as const]
      : []),
    ...failed.map(({ no, round, lastAttemptAt, queuedAt }): ChangeDocument => {
      const at = lastAttemptAt ?? queuedAt;
      return { kind: 'copyFailed', jobId, companyId, at, copy: no, round };
    }),
  ];
}
