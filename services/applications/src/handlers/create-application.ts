import type { CallContext } from '@joblisting/bus';
import { type createApplication, refuseInvalid, ServiceError } from '@joblisting/contracts';
import { type Clock, type Handler, type NextId, requireScope, type Result } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import { contentOf, digestOf, newApplication, toReceipt } from '../domain/application.ts';
import { judgeFiles, storedFiles } from '../domain/file.ts';
import { requireOpen } from '../domain/target.ts';
import type { ApplicationStore, InsertResult } from '../store/application-store.ts';
import type { FileStore } from '../store/file-store.ts';

export interface CreateDeps {
  readonly applications: ApplicationStore;
  readonly files: FileStore;
  readonly jobs: JobsClient;
  readonly clock: Clock;
  readonly newId: NextId;
  /** Whether a virus scanner is set. */
  readonly isScanned: boolean;
  /** Called after an application was stored: its copies are due, or its files to be scanned. */
  readonly onStored: () => void;
}

/**
 * Takes an application for a job. Throws `scope_missing`, `validation_failed`, `job_not_found`, `job_not_open`,
 * `applications_not_collected`.
 */
export function createApplicationHandler(deps: CreateDeps): Handler<typeof createApplication> {
  const { applications, files, jobs, clock, newId, isScanned, onStored } = deps;
  return async ({ params, body, violations, context, keep }) => {
    requireScope(context, 'applications:write');
    const { faults, accepted } = await judgeFiles(body.files);
    refuseInvalid([...violations, ...faults]);
    // load
    const target = await jobs.target(params.jobId, context);
    // decide
    requireOpen(target);
    const now = clock.now();
    const consumerId = consumerOf(context);
    const content = contentOf(body);
    const digest = digestOf(consumerId, content, accepted);
    // save
    const ids = await files.write(accepted, context.deadline);
    const stored = storedFiles(accepted, ids, isScanned ? 'pending' : 'none');
    const result = await applications.insert(
      newApplication(content, target, { id: await newId(), consumerId, files: stored, now }),
      { digest, deadline: context.deadline, keep: keep && ((inserted) => keep(answerOf(inserted), now)) },
    );
    if (result.isNew) onStored();
    else await files.remove(ids);
    // answer
    return answerOf(result);
  };
}

function consumerOf({ principal }: CallContext): number {
  if (principal) return principal.consumerId;
  throw new ServiceError('unauthenticated');
}

const answerOf = ({ application, isNew }: InsertResult): Result<typeof createApplication> => ({
  outcome: isNew ? 'created' : 'ok',
  id: application.id,
  data: toReceipt(application),
});
