import type { CallContext } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import { grantsCompany } from '@joblisting/service-kit';
import type { Webhook } from '../domain/webhook.ts';
import type { WebhookStore } from '../store/webhook-store.ts';

/** The webhook, if the caller's keys grant its company. Throws `webhook_not_found`. */
export async function findOwn(
  webhooks: Pick<WebhookStore, 'find'>,
  id: number,
  context: CallContext,
): Promise<Webhook> {
  return requireFound(await webhooks.find(id), context);
}

/** The same of one that was looked up, or changed. */
export function requireFound(webhook: Webhook | undefined, context: CallContext): Webhook {
  if (webhook && grantsCompany(context, webhook.companyId)) return webhook;
  throw new ServiceError('webhook_not_found');
}
