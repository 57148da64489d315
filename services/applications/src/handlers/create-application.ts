import { type createApplication, refuseInvalid } from '@joblisting/contracts';
import { type Clock, type Handler, type NextId, requireScope, type Result } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import { contentOf, digestOf, newApplication, toReply } from '../domain/application.ts';
import { type AcceptedFile, judgeFiles, type StoredFile } from '../domain/file.ts';
import { requireOpen } from '../domain/target.ts';
import type { ApplicationStore, Stored } from '../store/application-store.ts';
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
export const createApplicationHandler =
  ({
    applications,
    files,
    jobs,
    clock,
    newId,
    isScanned,
    onStored,
  }: CreateDeps): Handler<typeof createApplication> =>
  async ({ params, body, violations, context, keep }) => {
    requireScope(context, 'applications:write');
    const { deadline, principal } = context;
    const { faults, accepted } = await judgeFiles(body.files);
    refuseInvalid([...violations, ...faults]);
    // load
    const target = await jobs.target(params.jobId, context);
    requireOpen(target);
    // decide
    const now = clock.now();
    const consumerId = principal?.consumerId ?? 0;
    const content = contentOf(body);
    // save
    const ids = await files.write(
      accepted.map((file) => file.content),
      deadline,
    );
    const stored = await applications.insert(
      newApplication(content, target, {
        id: await newId(),
        consumerId,
        files: accepted.map((file, index) => describeFile(file, index, ids, isScanned)),
        now,
      }),
      {
        digest: digestOf(consumerId, content, accepted),
        deadline,
        keep: keep && ((outcome) => keep(answerOf(outcome), now)),
      },
    );
    if (stored.isNew) onStored();
    else await files.remove(ids);
    // answer
    return answerOf(stored);
  };

const describeFile = (
  { name, type, content }: AcceptedFile,
  index: number,
  ids: readonly string[],
  isScanned: boolean,
): StoredFile => ({
  id: index + 1,
  name,
  type,
  size: content.length,
  scan: isScanned ? 'pending' : 'none',
  storedAs: ids[index] as string,
});

const answerOf = ({ application, isNew }: Stored): Result<typeof createApplication> => ({
  outcome: isNew ? 'created' : 'ok',
  id: application.id,
  data: toReply(application),
});
