import { deadlineExceeded, type ParamsOf, ServiceError, type updateJob } from '@joblisting/contracts';
import { refusalOfDatabaseError } from '@joblisting/service-kit';
import type { Job } from '../domain/job.ts';
import type { JobStore } from '../store/job-store.ts';

export type IfMatch = ParamsOf<typeof updateJob>['ifMatch'];

/** Throws `version_mismatch` unless the job is at a version of If-Match (RFC 9110, section 13.1.1). */
export function requireVersion({ version }: Job, ifMatch: IfMatch): void {
  if (!ifMatch || ifMatch.any || ifMatch.versions.includes(version)) return;
  throw new ServiceError('version_mismatch', undefined, {
    errors: [{ header: 'If-Match', code: 'mismatch', detail: 'The job has changed since.' }],
  });
}

/** Throws `deadline_exceeded` from `deadline` (epoch ms) on. */
export function refusePast(deadline: number): void {
  if (Date.now() >= deadline) throw deadlineExceeded();
}

/**
 * For work that follows a committed write. If the database is unavailable then, rejects with `deadline_exceeded`,
 * because 503 would say that nothing was executed.
 */
export async function afterCommit<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(refusalOfDatabaseError(error) instanceof ServiceError)) throw error;
    throw deadlineExceeded('deadline', error);
  }
}

/** `reference_id_taken`, with the job that has the referenceId if it still exists. */
export async function referenceTaken(store: JobStore, companyId: number, referenceId: string | null) {
  const id = referenceId === null ? undefined : await store.findIdByReference({ companyId, referenceId });
  return new ServiceError('reference_id_taken', undefined, {
    errors: [{ pointer: '#/referenceId', code: 'repeated', detail: 'Another job of the company has it.' }],
    conflict: id === undefined ? undefined : { resource: 'job', id },
  });
}
