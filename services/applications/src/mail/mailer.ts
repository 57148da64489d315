import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTimeout } from '@joblisting/service-kit';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { SendOutcome } from '../domain/copy.ts';
import type { ApplicationsConfig } from '../config.ts';

export interface Mailer {
  /** Sends an e-mail, and never rejects. Takes `MAIL_TIMEOUT_MS` at most. */
  readonly send: (message: SendMailOptions) => Promise<SendOutcome>;
  readonly close: () => void;
}

/** Sends over SMTP, or writes files where no server is set. */
export const mailerOf = (config: ApplicationsConfig): Mailer =>
  config.SMTP_URL === undefined ? fileMailer(config.MAIL_DIR) : smtpMailer(config.SMTP_URL, config);

function smtpMailer(url: string, config: ApplicationsConfig): Mailer {
  const timeoutMs = config.MAIL_TIMEOUT_MS;
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: config.MAIL_CONNECTIONS,
    rateLimit: config.MAIL_PER_SECOND,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  });
  return {
    send: async (message) => {
      try {
        const { response } = await withTimeout(transport.sendMail(message), timeoutMs);
        return { kind: 'sent', response };
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => transport.close(),
  };
}

/** What nodemailer says of a failure: the reply code, and the command that was replied to. */
interface SmtpError {
  readonly responseCode?: number;
  readonly command?: string;
  readonly response?: string;
  readonly message?: string;
}

/** A 5xx reply to these is about this mail. To others, such as AUTH, it is about this service, and an operator can mend it. */
const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** A 5xx reply about the mail is final; anything else may pass (RFC 5321, section 4.2.1). */
export function failureOf(error: unknown): SendOutcome {
  const { responseCode = 0, command = '', response, message } = error as SmtpError;
  const isFinal = responseCode >= 500 && responseCode < 600 && ABOUT_THE_MAIL.has(command);
  return { kind: isFinal ? 'permanent' : 'temporary', response: response ?? message ?? 'no reply' };
}

/** For trying: each e-mail is a file that a mail program opens. */
function fileMailer(directory: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (message) => {
      try {
        const { message: bytes, messageId } = await transport.sendMail(message);
        const path = join(directory, `${messageId.slice(1).split('@', 1)[0]}.eml`);
        await mkdir(directory, { recursive: true, mode: 0o700 });
        // A reader never sees half of a file.
        await writeFile(`${path}.part`, bytes as Buffer, { mode: 0o600 });
        await rename(`${path}.part`, path);
        return { kind: 'sent', response: `Written to ${path}` };
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => undefined,
  };
}
