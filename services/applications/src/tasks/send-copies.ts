import { type Clock, type Log, type Metrics, withTimeout } from '@joblisting/service-kit';
import { afterAttempt } from '../domain/copy.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type Attachment, messageOf, type Sender } from '../mail/message.ts';
import type { ClaimedCopy, CopyStore } from '../store/copy-store.ts';
import type { FileStore } from '../store/file-store.ts';

interface CopyDeps {
  readonly copies: CopyStore;
  readonly files: FileStore;
  readonly mailer: Mailer;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly atOnce: number;
  /** Longer than sending takes: another replica sends the copy again after it. */
  readonly leaseMs: number;
  readonly stopping: AbortSignal;
}

const READ_LIMIT_MS = 10_000;
/** The end of the process waits no longer for mails under way. */
const STOP_LIMIT_MS = 5000;

export interface SendingCopies {
  /** Starts to send the copies that are due. Resolves when all have started, or none is due. */
  readonly run: () => Promise<void>;
  /** Resolves when those under way are sent, or soon. */
  readonly stop: () => Promise<void>;
}

/**
 * Sends the copies that are due, a bounded number at once. At least once: if a replica ends between the server's
 * reply and the note of it, another one sends the copy again with the same Message-ID.
 */
export function sendingCopies(deps: CopyDeps): SendingCopies {
  const { copies, clock, log, metrics, atOnce, leaseMs, stopping } = deps;
  const outcomes = metrics.counter({
    name: 'applications_copies_total',
    help: 'Attempts to send e-mail copies, by the state of the copy after them.',
    labelNames: ['outcome'],
  });
  const underWay = new Set<Promise<void>>();
  /** Companies take turns, so that one with thousands of copies does not delay the others. */
  let lastCompanyId = 0;

  const send = async (claimed: ClaimedCopy): Promise<void> => {
    try {
      outcomes.inc({ outcome: await sendOne(claimed, deps) });
    } catch (err) {
      const { application, copy } = claimed;
      log.warn({ err, applicationId: application.id, copy: copy.no }, 'an e-mail copy is left to its lease');
    }
  };

  return {
    run: async () => {
      while (!stopping.aborted) {
        if (underWay.size >= atOnce) await Promise.race(underWay);
        const claimed = await copies.claim(lastCompanyId, clock.now(), leaseMs);
        if (!claimed) return;
        lastCompanyId = claimed.application.companyId;
        const sending = send(claimed).finally(() => underWay.delete(sending));
        underWay.add(sending);
      }
    },
    stop: async () => {
      await withTimeout(Promise.all(underWay), STOP_LIMIT_MS).catch(() => undefined);
      deps.mailer.close();
    },
  };
}

async function sendOne(
  claimed: ClaimedCopy,
  { copies, files, mailer, sender, clock, log }: CopyDeps,
): Promise<string> {
  const { application, copy } = claimed;
  const attachments: Attachment[] = [];
  for (const file of application.files) {
    if (file.scan === 'infected') continue;
    const content = await files.read(file.storedAs, Date.now() + READ_LIMIT_MS);
    if (!content) throw new Error(`file ${file.id} is not there`);
    attachments.push({ file, content });
  }
  const outcome = await mailer.send(messageOf(application, copy, attachments, sender));
  const after = afterAttempt(copy, outcome, clock.now());
  await copies.saveResult(claimed, after);
  const level = after.state === 'sent' ? 'info' : 'warn';
  const fields = { applicationId: application.id, copy: copy.no, state: after.state, code: outcome.code };
  log[level](fields, 'an e-mail copy was attempted');
  return after.state;
}
