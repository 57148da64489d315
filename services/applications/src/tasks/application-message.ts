import {
  type ApplicationErased,
  applicationErased,
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
):
  | RelayMessage<ApplicationReceived>
  | RelayMessage<ApplicationErased>
  | RelayMessage<CopyFailed>
  | undefined {
  if (!(at instanceof Date)) return undefined;
  const fact = { applicationId, jobId, companyId, at: at.toISOString() };
  if (kind === 'received') {
    const payload = { ...fact, ...sourceOfEvent(source) };
    return { event: applicationReceived, payload, messageId: `application:${applicationId}` };
  }
  if (kind === 'erased') {
    return { event: applicationErased, payload: fact, messageId: `application:${applicationId}:erased` };
  }
  if (typeof copy !== 'number' || typeof round !== 'number') return undefined;
  const messageId = `application:${applicationId}:copy:${copy}:${round}`;
  return { event: copyFailed, payload: { ...fact, copy, round }, messageId };
}

/** What `presentChanges` reads of a document. */
export const presentFields = {
  companyId: 1,
  'job.id': 1,
  receivedAt: 1,
  source: 1,
  copies: 1,
  change: 1,
} as const;

/** Of an erased application, its change is all there is. */
export type PresentDocument =
  | Pick<ApplicationDocument, 'companyId' | 'job' | 'receivedAt' | 'source' | 'copies'>
  | { readonly change: ChangeDocument };

/** Older applications were counted long ago, and metrics forgets event ids after 8 days: it would count them again. */
const RECEIVED_WITHIN_MS = 7 * 24 * 3600_000;

/** The changes that a document tells at `now`, for a relay that has lost its position in the oplog. */
export function presentChanges(document: PresentDocument, now: number): ChangeDocument[] {
  if (!('job' in document)) return [document.change];
  const { companyId, job, receivedAt, source, copies } = document;
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
