import type { StreamMessage } from '@joblisting/bus';
import * as contract from '@joblisting/contracts';
import { compileBody } from '@joblisting/service-kit';
import type { EventDocument } from '../models/event.ts';

/** An event that is to be added to the log. */
export type Entry = Omit<EventDocument, 'seq' | 'loggedAt'>;

interface Source<Payload> {
  readonly event: contract.Event<Payload>;
  readonly type: contract.LoggedType;
  readonly toEntry: (payload: Payload) => Omit<Entry, '_id' | 'type'>;
}

const ofJob = ({ jobId, companyId, version, referenceId, statusId, at, fields }: contract.JobChanged) => ({
  companyId,
  at: new Date(at),
  jobId,
  version,
  statusId,
  ...(referenceId !== undefined && { referenceId }),
  ...(fields && { fields: [...fields] }),
});
/** Ids only. */
const ofApplication = ({ applicationId, jobId, companyId, at }: contract.ApplicationErased) => ({
  companyId,
  at: new Date(at),
  jobId,
  applicationId,
});
const ofCopy = ({ copy, ...fact }: contract.CopyFailed) => ({ ...ofApplication(fact), copy });
const ofCategory = ({ categoryId, companyId, name, at }: contract.CategoryChanged) => ({
  companyId,
  at: new Date(at),
  category: { id: categoryId, name },
});

const jobSource = (event: contract.Event<contract.JobChanged>, type: contract.LoggedType) =>
  source({ event, type, toEntry: ofJob });
const categorySource = (event: contract.Event<contract.CategoryChanged>, type: contract.LoggedType) =>
  source({ event, type, toEntry: ofCategory });

/** Turns a payload of the event into an entry; undefined if it is not as the contract says. */
function source<Payload>({ event, type, toEntry }: Source<Payload>) {
  const { check } = compileBody(event.payload);
  const read = (id: string, payload: unknown): Entry | undefined =>
    check(payload).length > 0 ? undefined : { _id: id, type, ...toEntry(payload as Payload) };
  return { subject: event.subject, read };
}

const sources = [
  jobSource(contract.jobCreated, 'job.created'),
  jobSource(contract.jobUpdated, 'job.updated'),
  jobSource(contract.jobPublished, 'job.published'),
  jobSource(contract.jobClosed, 'job.closed'),
  jobSource(contract.jobDeleted, 'job.deleted'),
  source({ event: contract.applicationReceived, type: 'application.received', toEntry: ofApplication }),
  source({ event: contract.applicationErased, type: 'application.erased', toEntry: ofApplication }),
  source({ event: contract.copyFailed, type: 'application.copy_failed', toEntry: ofCopy }),
  categorySource(contract.categoryCreated, 'category.created'),
  categorySource(contract.categoryRenamed, 'category.renamed'),
  categorySource(contract.categoryDeleted, 'category.deleted'),
];
const bySubject = new Map(sources.map((one) => [one.subject, one]));

/** The entry of a message; undefined if this release cannot read it. */
export const toEntry = ({ subject, messageId, payload }: StreamMessage): Entry | undefined =>
  messageId === '' ? undefined : bySubject.get(subject)?.read(messageId, payload);

/** The event as the API shows it. */
export const toLoggedEvent = (stored: EventDocument): contract.LoggedEvent => ({
  id: stored._id,
  seq: stored.seq,
  type: stored.type,
  at: stored.at.toISOString(),
  company: { id: stored.companyId },
  ...(typeof stored.jobId === 'number' && {
    job: {
      id: stored.jobId,
      ...(typeof stored.referenceId === 'string' && { referenceId: stored.referenceId }),
      ...(typeof stored.version === 'number' && { version: stored.version }),
    },
  }),
  data: {
    ...(typeof stored.statusId === 'number' &&
      stored.type !== 'job.deleted' && { status: statusOf(stored.statusId) }),
    ...(stored.fields && { fields: stored.fields }),
    ...(typeof stored.applicationId === 'number' && {
      application: {
        id: stored.applicationId,
        ...(typeof stored.copy === 'number' && { copy: stored.copy }),
      },
    }),
    ...(stored.category && { category: { id: stored.category.id, name: stored.category.name } }),
  },
});

const statusOf = (id: number): NonNullable<contract.LoggedEvent['data']['status']> => {
  const statusId = id as contract.StatusId;
  return { id: statusId, name: contract.statusNames[statusId] };
};
