import escapeHtml from 'escape-html';
import type { SendMailOptions } from 'nodemailer';
import type { Application } from '../domain/application.ts';
import type { Copy } from '../domain/copy.ts';
import type { StoredFile } from '../domain/file.ts';

/** Who the e-mails come from, and where their links lead. */
export interface Sender {
  /** As in a From header. */
  readonly from: string;
  /** The address of an application in the API. */
  readonly addressOf: (applicationId: number) => string;
}

export interface Attachment {
  readonly file: StoredFile;
  readonly content: Buffer;
}

/** The same for each attempt, so that a recipient recognises a repeated mail (RFC 5322, section 3.6.4). */
export const messageIdOf = ({ id }: Application, { no, round }: Copy, from: string): string =>
  `<application-${id}-${no}-${round}@${domainOf(from)}>`;

const domainOf = (from: string): string => /@([^>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';

/** The e-mail of a copy. The library encodes headers, so that no text of a client can add one. */
export function messageOf(
  application: Application,
  copy: Copy,
  attachments: readonly Attachment[],
  { from, addressOf }: Sender,
): SendMailOptions {
  const { applicant, job } = application;
  const rows = rowsOf(application, addressOf);
  return {
    from,
    to: { name: '', address: copy.email },
    replyTo: { name: applicant.name, address: applicant.email },
    subject: `Application: ${job.title}`,
    messageId: messageIdOf(application, copy, from),
    date: new Date(application.receivedAt),
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: textOf(rows),
    html: htmlOf(rows),
    attachments: attachments.map(({ file, content }) => ({
      filename: file.name,
      contentType: file.type,
      content,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

type Row = readonly [label: string, value: string];

function rowsOf(application: Application, addressOf: Sender['addressOf']): Row[] {
  const { applicant, job, answers, files } = application;
  const rows: readonly (readonly [string, string | null])[] = [
    ['Job', job.referenceId === null ? job.title : `${job.title} (${job.referenceId})`],
    ['Name', applicant.name],
    ['E-mail', applicant.email],
    ['Phone', applicant.phone],
    ['Location', applicant.location],
    ['Received', new Date(application.receivedAt).toUTCString()],
    ['Source', application.source],
    ['Consent', application.consentAt],
    ['Cover letter', application.coverLetter],
    ...answers.map(({ question, answer }) => [question, answer] as const),
    ['Files', files.map(lineOf).join('\n') || null],
    ['In the API', addressOf(application.id)],
  ];
  return rows.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]));
}

const lineOf = ({ name, scan }: StoredFile): string =>
  scan === 'infected' ? `${name} (removed: a virus was found)` : name;

const textOf = (rows: readonly Row[]): string =>
  rows
    .map(([label, value]) => (value.includes('\n') ? `${label}:\n${value}` : `${label}: ${value}`))
    .join('\n');

function htmlOf(rows: readonly Row[]): string {
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th align="left" valign="top">${escapeHtml(label)}</th><td style="white-space:pre-wrap">${escapeHtml(value)}</td></tr>`,
  );
  return `<!doctype html><html><body><table>${cells.join('')}</table></body></html>`;
}
