import type { Clock, Log, Metrics } from '@joblisting/service-kit';
import { afterAttempt } from '../domain/copy.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type Attachment, messageOf, type Sender } from '../mail/message.ts';
import type { ClaimedCopy, CopyStore } from '../store/copy-store.ts';
import type { FileStore } from '../store/file-store.ts';

export interface CopyDeps {
  readonly copies: CopyStore;
  readonly files: FileStore;
  readonly mailer: Mailer;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Longer than sending takes: another replica sends the copy again after it. */
  readonly leaseMs: number;
  readonly stopping: AbortSignal;
}

/**
 * Sends the copies that are due, one after the other. At least once: where a replica ends between the server's reply and
 * the note of it, another one sends the copy again with the same Message-ID.
 */
export function sendCopies(deps: CopyDeps): () => Promise<void> {
  const { copies, clock, leaseMs, stopping, metrics } = deps;
  const outcomes = metrics.counter({
    name: 'applications_copies_total',
    help: 'Attempts to send e-mail copies, by the state of the copy after them.',
    labelNames: ['outcome'],
  });
  return async () => {
    while (!stopping.aborted) {
      const claimed = await copies.claim(clock.now(), leaseMs);
      if (!claimed) return;
      outcomes.inc({ outcome: await sendOne(claimed, deps) });
    }
  };
}

async function sendOne(claimed: ClaimedCopy, { copies, files, mailer, sender, clock, log }: CopyDeps) {
  const { application, copy } = claimed;
  const attachments: Attachment[] = [];
  for (const file of application.files) {
    const content = file.scan === 'infected' ? undefined : await files.read(file.storedAs);
    if (content) attachments.push({ file, content });
  }
  const outcome = await mailer.send(messageOf(application, copy, attachments, sender));
  const after = afterAttempt(copy, outcome, clock.now());
  await copies.note(claimed, after);
  const level = after.state === 'failed' ? 'warn' : 'info';
  log[level](
    { applicationId: application.id, copy: copy.no, state: after.state },
    'an e-mail copy was attempted',
  );
  return after.state;
}
