import { createHash } from 'node:crypto';
import {
  type ApplicationTarget,
  type Application as ApplicationReply,
  type ApplicationCopy,
  type ApplicationHeader,
  isSource,
  type NewApplication,
  type ReceivedApplication,
} from '@joblisting/contracts';
import { type Copy, newCopy } from './copy.ts';
import type { SentFile, StoredFile } from './file.ts';

/** An application. Instants in epoch milliseconds. */
export interface Application {
  readonly id: number;
  /** As it was when the application came. */
  readonly job: ApplicationHeader['job'];
  readonly companyId: number;
  /** The consumer that handed it in. */
  readonly consumerId: number;
  readonly referenceId: string | null;
  readonly receivedAt: number;
  readonly applicant: ApplicationHeader['applicant'];
  readonly coverLetter: string | null;
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  readonly source: string | null;
  readonly consentAt: string | null;
  readonly previousApplicationId: number | null;
  readonly files: readonly StoredFile[];
  readonly copies: readonly Copy[];
}

/** What the list shows of an application. */
export type ListedApplication = Omit<Application, 'coverLetter' | 'answers' | 'files' | 'copies'>;

/** What an applicant writes, with null for what was left out. */
export type Content = Pick<
  Application,
  'applicant' | 'coverLetter' | 'answers' | 'source' | 'consentAt' | 'referenceId'
>;

export function contentOf(sent: NewApplication): Content {
  const { name, email, phone = null, location = null } = sent.applicant;
  return {
    applicant: { name, email, phone, location },
    coverLetter: sent.coverLetter ?? null,
    answers: (sent.answers ?? []).map(({ question, answer }) => ({ question, answer })),
    source: sent.source ?? null,
    consentAt: sent.consentAt ?? null,
    referenceId: sent.referenceId ?? null,
  };
}

/** Who handed an application in, and when (epoch ms), with its new id and its files. */
interface Receipt {
  readonly id: number;
  readonly consumerId: number;
  readonly files: readonly StoredFile[];
  readonly now: number;
}

/** A new application for a job, with a copy for each of its recipients. */
export const newApplication = (
  content: Content,
  target: ApplicationTarget,
  { id, consumerId, files, now }: Receipt,
): Application => ({
  ...content,
  id,
  job: { id: target.id, referenceId: target.referenceId, title: target.title },
  companyId: target.company.id,
  consumerId,
  receivedAt: now,
  previousApplicationId: null,
  files,
  copies: target.applicationEmails.map((email, no) => newCopy(email, no, now)),
});

/** The same content within this time, by the same e-mail address for the same job, is a double click. */
const DOUBLE_CLICK_MS = 60_000;

/** The last application of one e-mail address for one job. */
export interface LastApplication {
  readonly applicationId: number;
  readonly receivedAt: number;
  readonly digest: string;
}

/** Whether an application of this digest at `now` is the last one, sent again by a double click. */
export const isDoubleClick = (last: LastApplication, digest: string, now: number): boolean =>
  last.digest === digest && now - last.receivedAt < DOUBLE_CLICK_MS;

/** Equal for applications of one consumer with equal content. `consentAt` and `referenceId` can differ by the click. */
export function digestOf(consumerId: number, content: Content, files: readonly SentFile[]): string {
  const { applicant, coverLetter, answers, source } = content;
  const hash = createHash('sha256').update(
    JSON.stringify([consumerId, applicant, coverLetter, answers, source]),
  );
  for (const { name, content: bytes } of files)
    hash.update(JSON.stringify([name, bytes.length])).update(bytes);
  return hash.digest('base64url');
}

/** The source as the event of an application has it: free text stays with the application, where it can be erased. */
export const sourceOfEvent = (source: string | null | undefined): { readonly source?: string } =>
  source && isSource(source) ? { source } : {};

/** Equal for addresses that differ in case only: nearly all mail servers take them for one. */
export const emailKey = (email: string): string => email.toLowerCase();

/** The application as the list shows it. */
export const toHeader = (listed: ListedApplication): ApplicationHeader => ({
  id: listed.id,
  job: listed.job,
  company: { id: listed.companyId },
  referenceId: listed.referenceId,
  receivedAt: isoOf(listed.receivedAt),
  applicant: listed.applicant,
  source: listed.source,
  consentAt: listed.consentAt,
  previousApplicationId: listed.previousApplicationId,
});

/** The application as its company sees it. */
export const toReply = (application: Application): ApplicationReply => ({
  ...toReceipt(application),
  copies: application.copies.map(toCopyReply),
});

/** The application as its sender sees it. */
export const toReceipt = (application: Application): ReceivedApplication => ({
  ...toHeader(application),
  coverLetter: application.coverLetter,
  answers: application.answers.map(({ question, answer }) => ({ question, answer })),
  files: application.files.map(({ id, name, type, size, scan }) => ({ id, name, type, size, scan })),
});

export const toCopyReply = (copy: Copy): ApplicationCopy => ({
  email: copy.email,
  state: copy.state,
  attempts: copy.attempts,
  lastAttemptAt: copy.lastAttemptAt === null ? null : isoOf(copy.lastAttemptAt),
  nextAttemptAt: copy.nextAttemptAt === null ? null : isoOf(copy.nextAttemptAt),
  response: copy.response,
});

const isoOf = (at: number): string => new Date(at).toISOString();
