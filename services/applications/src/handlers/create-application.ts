import type { CallContext } from '@joblisting/bus';
import { type createApplication, refuseInvalid, ServiceError } from '@joblisting/contracts';
import { type Clock, type Handler, type NextId, requireScope, type Result } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import { contentOf, digestOf, newApplication, toReceipt } from '../domain/application.ts';
import { judgeFiles, newFiles, storedFiles } from '../domain/file.ts';
import { requireOpen } from '../domain/target.ts';
import type { ApplicationStore, InsertResult } from '../store/application-store.ts';

export interface CreateDeps {
  readonly applications: ApplicationStore;
  readonly jobs: JobsClient;
  readonly clock: Clock;
  readonly newId: NextId;
  readonly newFileId: () => string;
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
  const { applications, jobs, clock, newId, newFileId, isScanned, onStored } = deps;
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
    const sentFiles = newFiles(accepted, newFileId);
    const files = storedFiles(sentFiles, isScanned ? 'pending' : 'none');
    const application = newApplication(content, target, { id: await newId(), consumerId, files, now });
    const result = await applications.insert(application, sentFiles, {
      digest,
      deadline: context.deadline,
      keep: keep && ((inserted) => keep(answerOf(inserted), now)),
    });
    if (result.isNew) onStored();
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
