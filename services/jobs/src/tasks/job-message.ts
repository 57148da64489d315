import * as contract from '@joblisting/contracts';
import type { RelayMessage } from '@joblisting/service-kit/mongo';
import type { ChangeKind } from '../domain/change.ts';
import type { ChangeDocument } from '../models/change.ts';

const eventOf = {
  created: contract.jobCreated,
  updated: contract.jobUpdated,
  published: contract.jobPublished,
  closed: contract.jobClosed,
  deleted: contract.jobDeleted,
} as const satisfies Record<ChangeKind, contract.Event>;

/** The message of a job's change, with the id `job:<id>:<version>`; undefined if this release cannot read the change. */
export function jobMessage(
  jobId: number,
  { kind, at, ...rest }: ChangeDocument,
): RelayMessage<contract.JobChanged> | undefined {
  if (!Object.hasOwn(eventOf, kind) || !(at instanceof Date)) return undefined;
  return {
    event: eventOf[kind],
    payload: { jobId, ...rest, at: at.toISOString() },
    messageId: `job:${jobId}:${rest.version}`,
  };
}
