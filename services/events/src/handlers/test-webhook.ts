import { overloaded, type testWebhook } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import type { SendMessage } from '../clients/receiver.ts';
import { messageOf, testEvent } from '../domain/message.ts';
import { secretsOf } from '../domain/webhook.ts';
import type { AttemptStore } from '../store/attempt-store.ts';
import type { WebhookStore } from '../store/webhook-store.ts';
import { ATTEMPT_MS } from '../tasks/send-round.ts';
import { findOwn } from './own-webhook.ts';

interface TestDeps {
  readonly webhooks: WebhookStore;
  readonly attempts: AttemptStore;
  readonly send: SendMessage;
  readonly clock: Clock;
}

const AT_ONCE = 16;
/** Left for storing the attempt, and for the answer. */
const MARGIN_MS = 500;

/** Sends a synthetic event once, also to a webhook that is disabled. Throws `webhook_not_found`, `overloaded`. */
export function testWebhookHandler({
  webhooks,
  attempts,
  send,
  clock,
}: TestDeps): Handler<typeof testWebhook> {
  let underWay = 0;

  return async ({ params, context, keep }) => {
    const webhook = await findOwn(webhooks, params.id, context);
    if (underWay >= AT_ONCE) throw overloaded('service_concurrency');
    underWay++;
    try {
      const at = clock.now();
      const message = messageOf(testEvent(webhook.id, webhook.companyId, at));
      const limitMs = Math.min(ATTEMPT_MS, context.deadline - Date.now() - MARGIN_MS);
      const result = await send({
        url: webhook.url,
        message,
        secrets: secretsOf(webhook, at),
        limitMs: Math.max(1, limitMs),
      });
      const attempt = { webhookId: webhook.id, event: message, at, result, nextAttemptAt: null };
      const data = await attempts.insertTest(
        attempt,
        context.deadline,
        keep && ((made) => keep({ data: made }, at)),
      );
      return { data };
    } finally {
      underWay--;
    }
  };
}
