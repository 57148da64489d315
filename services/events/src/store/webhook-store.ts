import { inTransaction, type KeptAnswer, type Mongo, type NextId } from '@joblisting/service-kit';
import type { keptAnswersIn } from '@joblisting/service-kit/mongo';
import type { ClientSession } from 'mongoose';
import { newSecret, rotated, type Webhook } from '../domain/webhook.ts';
import { attemptModel } from '../models/attempt.ts';
import { deliveryModel } from '../models/delivery.ts';
import { logModel } from '../models/log.ts';
import { type WebhookDocument, webhookModel } from '../models/webhook.ts';

export type WebhookStore = ReturnType<typeof webhookStore>;

export interface Writing {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly deadline: number;
  /** Makes the answer that is kept for an Idempotency-Key. */
  readonly keep?: ((stored: Webhook) => KeptAnswer) | undefined;
}

export type NewWebhook = Pick<Webhook, 'companyId' | 'url' | 'types' | 'description'>;
export type WebhookChanges = Partial<Pick<Webhook, 'url' | 'types' | 'description'>> & {
  readonly state?: 'enabled' | 'disabled';
};

/** The webhooks of all companies. */
export function webhookStore(
  mongo: Mongo,
  { most, newId, answers }: { most: number; newId: NextId; answers: ReturnType<typeof keptAnswersIn> },
) {
  const webhooks = webhookModel(mongo);
  const deliveries = deliveryModel(mongo);
  const attempts = attemptModel(mongo);
  const logs = logModel(mongo);

  const find = async (id: number, session?: ClientSession): Promise<Webhook | undefined> => {
    const found = await webhooks
      .findOne({ _id: id }, null, session ? { session } : {})
      .lean<WebhookDocument>();
    return found ? toWebhook(found) : undefined;
  };

  /** Changes a webhook; undefined if it was deleted meanwhile. */
  const change = (
    id: number,
    { deadline, keep }: Writing,
    decide: (stored: Webhook, session: ClientSession) => object | Promise<object>,
  ): Promise<Webhook | undefined> =>
    inTransaction(mongo, deadline, async (session) => {
      const stored = await find(id, session);
      if (!stored) return undefined;
      const changes = await decide(stored, session);
      const updated = await webhooks
        .findOneAndUpdate(
          { _id: id },
          { $set: changes, $inc: { revision: 1 } },
          { session, returnDocument: 'after' },
        )
        .lean<WebhookDocument>();
      const changed = updated ? toWebhook(updated) : undefined;
      if (changed && keep) await answers.insertUnlessAnswered(keep(changed), session);
      return changed;
    });

  return {
    find: (id: number) => find(id),

    list: async (companyId: number): Promise<Webhook[]> =>
      (await webhooks.find({ companyId }).sort({ _id: 1 }).lean<WebhookDocument[]>()).map(toWebhook),

    /** Begins at the end of the log. Undefined if the company has as many as it may have. */
    create: async (wanted: NewWebhook, { now, deadline, keep }: Writing): Promise<Webhook | undefined> => {
      const _id = await newId();
      return inTransaction(mongo, deadline, async (session) => {
        const { companyId } = wanted;
        const others = await webhooks.find({ companyId }, { place: 1 }, { session }).lean();
        const places = new Set(others.map(({ place }) => place));
        const place = Array.from({ length: most }, (_, index) => index + 1).find((one) => !places.has(one));
        if (place === undefined) return undefined;
        const log = await logs.findOne({ _id: companyId }, null, { session }).lean();
        const document: WebhookDocument = {
          ...wanted,
          _id,
          place,
          secret: newSecret(),
          formerSecrets: [],
          createdAt: new Date(now),
          position: log?.seq ?? 0,
          pending: 0,
          revision: 0,
        };
        await webhooks.insertMany([document], { session, lean: true });
        const webhook = toWebhook(document);
        if (keep) await answers.insertUnlessAnswered(keep(webhook), session);
        return webhook;
      });
    },

    /** What is pending is tried at once where the webhook is enabled again, or has another address. */
    update: (id: number, changes: WebhookChanges, writing: Writing): Promise<Webhook | undefined> =>
      change(id, writing, async (stored, session) => {
        const now = new Date(writing.now);
        const { state, ...fields } = changes;
        const isEnabled = state === 'enabled' && stored.disabled;
        const isMoved = fields.url !== undefined && fields.url !== stored.url;
        if (isEnabled || isMoved) {
          const resetRetries = { $set: { nextAttemptAt: now, failures: 0 }, $unset: { firstFailedAt: 1 } };
          await deliveries.updateMany({ webhookId: id }, resetRetries, { session });
        }
        return {
          ...fields,
          ...((isEnabled || isMoved) && { failingSince: null, pausedUntil: null, wakeAt: now }),
          ...(isEnabled && { disabled: null }),
          ...(state === 'disabled' && !stored.disabled && { disabled: { reason: 'requested', at: now } }),
        };
      }),

    rotateSecret: (id: number, writing: Writing): Promise<Webhook | undefined> =>
      change(id, writing, (stored) => rotated(stored, newSecret(), writing.now)),

    /** Sends the events after `position` up to `to` again. A replay that is under way grows by them. */
    replay: (
      id: number,
      { position, to }: { readonly position: number; readonly to: number },
      writing: Writing,
    ): Promise<Webhook | undefined> =>
      change(id, writing, async (stored, session) => {
        const from = Math.min(position, stored.replay?.position ?? position);
        const end = Math.min(Math.max(to, stored.replay?.to ?? to), stored.position);
        // They come again from the log, in order.
        await deliveries.deleteMany({ webhookId: id, seq: { $gt: from, $lte: end } }, { session });
        return { replay: { position: from, to: end }, wakeAt: new Date(writing.now) };
      }),

    /** Deletes a webhook with all that is known of it. */
    remove: (id: number, deadline: number): Promise<void> =>
      inTransaction(mongo, deadline, async (session) => {
        await webhooks.deleteOne({ _id: id }, { session });
        await deliveries.deleteMany({ webhookId: id }, { session });
        await attempts.deleteMany({ webhookId: id }, { session });
      }),
  };
}

/** Finds webhooks that may be sent to. */
export const activeAt = (now: number) => ({
  disabled: null,
  $or: [{ pausedUntil: null }, { pausedUntil: { $lte: new Date(now) } }],
});

export const toWebhook = ({ _id: id, place: _place, ...webhook }: WebhookDocument): Webhook => ({
  ...webhook,
  id,
});
