import { randomUUID } from 'node:crypto';
import type { LoggedEvent, WebhookMessage } from '@joblisting/contracts';
import { Webhook as Signer } from 'standardwebhooks';

/** What is sent to a receiver. Every attempt of an event sends the same id and the same bytes. */
export interface Message {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

type Sent = Omit<LoggedEvent, 'type'> & { readonly type: string };

/** The message of an event. It has no description of a job, so it is far smaller than 20 kB. */
export function messageOf(event: Sent): Message {
  const { id, type, at } = event;
  const message: WebhookMessage = { type, timestamp: at, data: event as LoggedEvent };
  return { id, type, body: JSON.stringify(message) };
}

/** The headers of Standard Webhooks, with a signature for each secret. */
export function signedHeaders({ id, body }: Message, secrets: readonly string[], at: Date) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, at, body)).join(' '),
  };
}

/** A synthetic event, which the log does not have. */
export const testEvent = (webhookId: number, companyId: number, now: number): Sent => ({
  id: `test:${randomUUID()}`,
  seq: 0,
  type: 'webhook.test',
  at: new Date(now).toISOString(),
  company: { id: companyId },
  data: { webhook: { id: webhookId } },
});

/** What events are kept in order for: their job, or else what they are about. */
export function subjectOf({ job, data }: LoggedEvent): string {
  if (job) return `job:${job.id}`;
  return data.category ? `category:${data.category.id}` : `webhook:${data.webhook?.id}`;
}
