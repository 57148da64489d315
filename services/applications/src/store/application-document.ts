import type { Application, ListedApplication } from '../domain/application.ts';
import { emailKey, sourceOfEvent } from '../domain/application.ts';
import type { Copy } from '../domain/copy.ts';
import type { StoredFile } from '../domain/file.ts';
import type { ApplicationDocument, ChangeDocument, CopyDocument } from '../models/application.ts';

/** The document of a new application. Its change is that it was received. */
export const toDocument = (application: Application): ApplicationDocument => ({
  _id: application.id,
  job: application.job,
  companyId: application.companyId,
  consumerId: application.consumerId,
  ...(application.referenceId !== null && { referenceId: application.referenceId }),
  receivedAt: new Date(application.receivedAt),
  applicant: application.applicant,
  emailKey: emailKey(application.applicant.email),
  coverLetter: application.coverLetter,
  answers: application.answers.map(({ question, answer }) => ({ question, answer })),
  source: application.source,
  consentAt: application.consentAt,
  previousApplicationId: application.previousApplicationId,
  files: [...application.files],
  copies: application.copies.map((copy) => toCopyDocument(copy)),
  idempotencyKeys: [],
  change: receivedChange(application),
});

const receivedChange = ({ job, companyId, receivedAt, source }: Application): ChangeDocument => ({
  kind: 'received',
  jobId: job.id,
  companyId,
  at: new Date(receivedAt),
  ...sourceOfEvent(source),
});

export const toCopyDocument = (copy: Copy): CopyDocument => ({
  no: copy.no,
  email: copy.email,
  state: copy.state,
  attempts: copy.attempts,
  ...(copy.lastAttemptAt !== null && { lastAttemptAt: new Date(copy.lastAttemptAt) }),
  ...(copy.nextAttemptAt !== null && { nextAttemptAt: new Date(copy.nextAttemptAt) }),
  queuedAt: new Date(copy.queuedAt),
  round: copy.round,
  ...(copy.response !== null && { response: copy.response }),
});

export const toCopy = (stored: CopyDocument): Copy => ({
  no: stored.no,
  email: stored.email,
  state: stored.state,
  attempts: stored.attempts,
  lastAttemptAt: stored.lastAttemptAt?.getTime() ?? null,
  nextAttemptAt: stored.nextAttemptAt?.getTime() ?? null,
  queuedAt: stored.queuedAt.getTime(),
  round: stored.round,
  response: stored.response ?? null,
});

/** What the list reads. */
export const listed = { coverLetter: 0, answers: 0, files: 0, copies: 0, change: 0 } as const;
export type ListedDocument = Omit<ApplicationDocument, keyof typeof listed>;

export const toListed = (stored: ListedDocument): ListedApplication => ({
  id: stored._id,
  job: toJob(stored.job),
  companyId: stored.companyId,
  consumerId: stored.consumerId,
  referenceId: stored.referenceId ?? null,
  receivedAt: stored.receivedAt.getTime(),
  applicant: toApplicant(stored.applicant),
  source: stored.source ?? null,
  consentAt: stored.consentAt ?? null,
  previousApplicationId: stored.previousApplicationId ?? null,
});

const toFiles = (stored: ApplicationDocument['files']): StoredFile[] =>
  stored.map(({ id, name, type, size, scan, storedAs }) => ({ id, name, type, size, scan, storedAs }));

const toJob = ({ id, referenceId, title }: ApplicationDocument['job']): Application['job'] => ({
  id,
  referenceId: referenceId ?? null,
  title,
});

const toApplicant = ({
  name,
  email,
  phone,
  location,
}: ApplicationDocument['applicant']): Application['applicant'] => ({
  name,
  email,
  phone: phone ?? null,
  location: location ?? null,
});

export const toErasable = ({
  _id,
  job,
  applicant,
  files,
}: Pick<ApplicationDocument, '_id' | 'job' | 'applicant' | 'files'>): Pick<
  Application,
  'id' | 'job' | 'applicant' | 'files'
> => ({ id: _id, job: toJob(job), applicant: toApplicant(applicant), files: toFiles(files) });

export const toApplication = (stored: ApplicationDocument): Application => ({
  ...toListed(stored),
  coverLetter: stored.coverLetter ?? null,
  answers: stored.answers.map(({ question, answer }) => ({ question, answer })),
  files: toFiles(stored.files),
  copies: stored.copies.map((copy) => toCopy(copy)),
});
