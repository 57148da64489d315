import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTimeout } from '@joblisting/service-kit';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { SendOutcome } from '../domain/copy.ts';
import type { ApplicationsConfig } from '../config.ts';

export interface Mailer {
  /** Sends an e-mail, and never rejects. Takes `MAIL_TIMEOUT_MS` at most. */
  readonly send: (message: SendMailOptions) => Promise<SendOutcome>;
  /** Cuts off what is under way. */
  readonly close: () => void;
}

/** Sends over SMTP, or writes files if no server is set. */
export const mailerOf = (config: ApplicationsConfig): Mailer =>
  config.SMTP_URL === undefined ? fileMailer(config.MAIL_DIR) : smtpMailer(config.SMTP_URL, config);

function smtpMailer(url: string, config: ApplicationsConfig): Mailer {
  const timeoutMs = config.MAIL_TIMEOUT_MS;
  const connect = () =>
    createTransport({
      url,
      pool: true,
      maxConnections: config.MAIL_CONNECTIONS,
      rateLimit: config.MAIL_PER_SECOND,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
    });
  let transport = connect();
  return {
    send: async (message) => {
      const used = transport;
      try {
        const { response } = await withTimeout(used.sendMail(message), timeoutMs, noReplyInTime);
        return { kind: 'sent', response };
      } catch (error) {
        // A connection that answers slowly but not too slowly to be ended would hold up later mails.
        if (used === transport && isNoReply(error)) {
          transport = connect();
          used.close();
          // By then nobody waits for its other mails either.
          setTimeout(() => used.close({ force: true }), timeoutMs).unref();
        }
        return failureOf(error);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

const NO_REPLY = 'ENOREPLY';
const noReplyInTime = () => Object.assign(new Error('no reply in time'), { code: NO_REPLY });
const isNoReply = (error: unknown): boolean => (error as SmtpError).code === NO_REPLY;

/** What nodemailer says of a failure: the reply code, and the command that was replied to. */
interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
  readonly response?: string;
}

/** Replies to these are about this mail. Others are about this service: its operator can mend that. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA']);

/**
 * A 5xx reply about the mail is final; anything else may pass (RFC 5321, section 4.2.1). Companies read such replies
 * only: others tell of this service's network.
 */
export function failureOf(error: unknown): SendOutcome {
  const { code, responseCode, command = '', response = '' } = error as SmtpError;
  if (responseCode === undefined) {
    return { kind: 'temporary', response: 'There was no reply of the mail server.', code };
  }
  if (!ABOUT_THE_MAIL.has(command)) {
    const refusal = 'The mail server does not take mails of this service now.';
    return { kind: 'temporary', response: refusal, code: responseCode };
  }
  return { kind: responseCode >= 500 ? 'permanent' : 'temporary', response, code: responseCode };
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
        return { kind: 'sent', response: 'Written to a file.' };
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => undefined,
  };
}
