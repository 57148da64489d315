import {
  type createWebhook,
  type deleteWebhook,
  refuseInvalid,
  type removeWebhooks,
  type rotateWebhookSecret,
  ServiceError,
  type updateWebhook,
  type Violation,
} from '@joblisting/contracts';
import { type Clock, type Handler, requireCompany } from '@joblisting/service-kit';
import { type Access, urlViolation } from '../domain/address.ts';
import { show, showWithSecret, type Webhook } from '../domain/webhook.ts';
import type { WebhookStore } from '../store/webhook-store.ts';
import { findOwn, requireFound } from './own-webhook.ts';

export interface WriteDeps {
  readonly webhooks: WebhookStore;
  readonly access: Access;
  readonly clock: Clock;
}

/** Everything that is wrong with a body: its shape, and where its address leads. */
function violationsOf(url: string | undefined, shape: readonly Violation[], access: Access): Violation[] {
  const isChecked = url !== undefined && !shape.some(({ pointer }) => pointer === '#/url' || pointer === '#');
  const fault = isChecked ? urlViolation(url, access) : undefined;
  return fault ? [...shape, fault] : [...shape];
}

const created = (stored: Webhook) => ({
  outcome: 'created' as const,
  id: stored.id,
  data: showWithSecret(stored),
});

/** Throws `validation_failed`, `company_forbidden`, `webhook_limit`. */
export const createWebhookHandler =
  ({ webhooks, access, clock }: WriteDeps): Handler<typeof createWebhook> =>
  async ({ body, violations, context, keep }) => {
    refuseInvalid(violationsOf(body.url, violations, access));
    const { company, url, types, description } = body;
    requireCompany(context, company.id, { pointer: '#/company/id' });
    const now = clock.now();
    const stored = await webhooks.create(
      { companyId: company.id, url, types: [...types], description: description ?? null },
      { now, deadline: context.deadline, keep: keep && ((one) => keep(created(one), now)) },
    );
    if (!stored) throw new ServiceError('webhook_limit');
    return created(stored);
  };

/** Throws `validation_failed`, `webhook_not_found`. */
export const updateWebhookHandler =
  ({ webhooks, access, clock }: WriteDeps): Handler<typeof updateWebhook> =>
  async ({ params, body, violations, context }) => {
    await findOwn(webhooks, params.id, context);
    refuseInvalid(violationsOf(body.url, violations, access));
    const { url, types, description, state } = body;
    const changes = {
      ...(url !== undefined && { url }),
      ...(types !== undefined && { types: [...types] }),
      ...(description !== undefined && { description }),
      ...(state !== undefined && { state }),
    };
    const writing = { now: clock.now(), deadline: context.deadline };
    return { data: show(requireFound(await webhooks.update(params.id, changes, writing), context)) };
  };

/** Throws `webhook_not_found`. */
export const deleteWebhookHandler =
  ({ webhooks }: WriteDeps): Handler<typeof deleteWebhook> =>
  async ({ params, context }) => {
    await findOwn(webhooks, params.id, context);
    await webhooks.remove(params.id, context.deadline);
    return { outcome: 'deleted' };
  };

/** Removes the webhooks of a company that is being deleted. */
export const removeWebhooksHandler =
  ({ webhooks }: Pick<WriteDeps, 'webhooks'>): Handler<typeof removeWebhooks> =>
  async ({ body, context }) => {
    const all = await webhooks.list(body.companyId);
    for (const { id } of all) await webhooks.remove(id, context.deadline);
    return { data: { removed: all.length } };
  };

/** Throws `webhook_not_found`. */
export const rotateWebhookSecretHandler =
  ({ webhooks, clock }: WriteDeps): Handler<typeof rotateWebhookSecret> =>
  async ({ params, context, keep }) => {
    await findOwn(webhooks, params.id, context);
    const now = clock.now();
    const stored = await webhooks.rotateSecret(params.id, {
      now,
      deadline: context.deadline,
      keep: keep && ((one) => keep({ data: showWithSecret(one) }, now)),
    });
    return { data: showWithSecret(requireFound(stored, context)) };
  };
