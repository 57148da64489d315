import { type LoggedEvent, type LoggedType, type StatusId, statusNames } from '@joblisting/contracts';

/** What happened, as the log has it. */
export interface Entry {
  /** Names the event: the id of its message. */
  readonly id: string;
  readonly companyId: number;
  readonly type: LoggedType;
  readonly at: Date;
  readonly jobId?: number;
  /** Of events of jobs. */
  readonly version?: number;
  readonly referenceId?: string;
  readonly statusId?: StatusId;
  readonly fields?: string[];
  readonly applicationId?: number;
  readonly copy?: number;
  readonly category?: { readonly id: number; readonly name: string };
  readonly webhook?: { readonly id: number; readonly reason?: string };
}

/** An entry with its number in the log of its company. */
export interface NumberedEntry extends Entry {
  readonly seq: number;
}

/** The event as the API shows it. */
export const toLoggedEvent = (entry: NumberedEntry): LoggedEvent => ({
  id: entry.id,
  seq: entry.seq,
  type: entry.type,
  at: entry.at.toISOString(),
  company: { id: entry.companyId },
  ...(entry.jobId !== undefined && {
    job: {
      id: entry.jobId,
      ...(entry.referenceId !== undefined && { referenceId: entry.referenceId }),
      ...(entry.version !== undefined && { version: entry.version }),
    },
  }),
  data: dataOf(entry),
});

const dataOf = ({
  type,
  statusId,
  fields,
  applicationId,
  copy,
  category,
  webhook,
}: Entry): LoggedEvent['data'] => ({
  ...(statusId !== undefined &&
    type !== 'job.deleted' && { status: { id: statusId, name: statusNames[statusId] } }),
  ...(fields && { fields }),
  ...(applicationId !== undefined && {
    application: { id: applicationId, ...(copy !== undefined && { copy }) },
  }),
  ...(category && { category: { id: category.id, name: category.name } }),
  ...(webhook && {
    webhook: { id: webhook.id, ...(webhook.reason !== undefined && { reason: webhook.reason }) },
  }),
});
