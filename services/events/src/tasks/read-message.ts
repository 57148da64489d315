import type { StreamMessage } from '@joblisting/bus';
import * as contract from '@joblisting/contracts';
import { compileBody } from '@joblisting/service-kit';
import type { Entry } from '../domain/entry.ts';

type Facts = Omit<Entry, 'id' | 'type'>;

const ofJob = ({
  jobId,
  companyId,
  version,
  referenceId,
  statusId,
  at,
  fields,
}: contract.JobChanged): Facts => ({
  companyId,
  at: new Date(at),
  jobId,
  version,
  statusId,
  ...(referenceId !== undefined && { referenceId }),
  ...(fields && { fields: [...fields] }),
});
/** Ids only. */
const ofApplication = ({ applicationId, jobId, companyId, at }: contract.ApplicationErased): Facts => ({
  companyId,
  at: new Date(at),
  jobId,
  applicationId,
});
const ofCopy = ({ copy, ...fact }: contract.CopyFailed): Facts => ({ ...ofApplication(fact), copy });
const ofCategory = ({ categoryId, companyId, name, at }: contract.CategoryChanged): Facts => ({
  companyId,
  at: new Date(at),
  category: { id: categoryId, name },
});

/** Turns a payload of the event into an entry; undefined if it is not as the contract says. */
function reader<P>(event: contract.Event<P>, type: contract.LoggedType, factsOf: (payload: P) => Facts) {
  const { check } = compileBody(event.payload);
  const read = (id: string, payload: unknown): Entry | undefined =>
    check(payload).length > 0 ? undefined : { id, type, ...factsOf(payload as P) };
  return [event.subject, read] as const;
}

const readers = new Map([
  reader(contract.jobCreated, 'job.created', ofJob),
  reader(contract.jobUpdated, 'job.updated', ofJob),
  reader(contract.jobPublished, 'job.published', ofJob),
  reader(contract.jobClosed, 'job.closed', ofJob),
  reader(contract.jobDeleted, 'job.deleted', ofJob),
  reader(contract.applicationReceived, 'application.received', ofApplication),
  reader(contract.applicationErased, 'application.erased', ofApplication),
  reader(contract.copyFailed, 'application.copy_failed', ofCopy),
  reader(contract.categoryCreated, 'category.created', ofCategory),
  reader(contract.categoryRenamed, 'category.renamed', ofCategory),
  reader(contract.categoryDeleted, 'category.deleted', ofCategory),
]);

/** The entry of a message; undefined if this release cannot read it. */
export const readMessage = ({ subject, messageId, payload }: StreamMessage): Entry | undefined =>
  messageId === '' ? undefined : readers.get(subject)?.(messageId, payload);
