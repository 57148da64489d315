import type { getWebhook, listWebhookAttempts, listWebhooks } from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import { show } from '../domain/webhook.ts';
import type { AttemptStore } from '../store/attempt-store.ts';
import type { WebhookStore } from '../store/webhook-store.ts';
import { findOwn } from './own-webhook.ts';

const DEFAULT_PAGE_SIZE = 50;

/** The webhooks of a company, by id. Throws `company_forbidden`. */
export const listWebhooksHandler =
  (webhooks: WebhookStore): Handler<typeof listWebhooks> =>
  async ({ params, context }) => {
    const companyId = params['company.id'];
    requireCompany(context, companyId, { parameter: 'company.id' });
    return { data: (await webhooks.list(companyId)).map(show) };
  };

/** Throws `webhook_not_found`. */
export const getWebhookHandler =
  (webhooks: WebhookStore): Handler<typeof getWebhook> =>
  async ({ params, context }) => ({ data: show(await findOwn(webhooks, params.id, context)) });

/** A page of what was attempted, newest first. Throws `webhook_not_found`. */
export const listWebhookAttemptsHandler =
  (webhooks: WebhookStore, attempts: AttemptStore): Handler<typeof listWebhookAttempts> =>
  async ({ params: { id, page = 1, pageSize = DEFAULT_PAGE_SIZE }, context }) => {
    await findOwn(webhooks, id, context);
    const { total, found } = await attempts.page(id, page, pageSize);
    const paging = { total, pageSize, page, pages: Math.ceil(total / pageSize) };
    return { data: [...found], paging };
  };
