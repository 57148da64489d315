import { inSnapshot, inTransaction, type Mongo, type ReadOptions } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import type { Attempt } from '../domain/attempt.ts';
import { toLoggedEvent } from '../domain/entry.ts';
import { messageOf, subjectOf } from '../domain/message.ts';
import { typeFilter, type Webhook } from '../domain/webhook.ts';
import { type DeliveryDocument, deliveryModel } from '../models/delivery.ts';
import { type EventDocument, eventModel } from '../models/event.ts';
import { logModel } from '../models/log.ts';
import { type WebhookDocument, webhookModel } from '../models/webhook.ts';
import type { AttemptStore } from './attempt-store.ts';
import { EMPTY, type LogStore, toEntry } from './log-store.ts';
import { activeAt, toWebhook } from './webhook-store.ts';

export type DeliveryStore = ReturnType<typeof deliveryStore>;

/** Of one webhook. With more, the log keeps what comes later. */
export const MAX_PENDING = 1000;
/** Events of one round. */
const PAGE = 50;
/** Of the log's numbers, so many are passed over in one round. */
const SCANNED = 5000;

/** What a round begins with. */
export interface Round {
  readonly webhook: Webhook;
  /** By subject, in order, as far as they are due. */
  readonly queues: readonly (readonly DeliveryDocument[])[];
  /** Behind others of their subject: not to be sent in this round. */
  readonly blocked: readonly DeliveryDocument[];
  /** Where the webhook is after the round. */
  readonly moved: { readonly position: number; readonly replay: Webhook['replay'] | null };
  /** The log has events after them. */
  readonly hasMore: boolean;
  /** The log no longer had all events. */
  readonly hasGap: boolean;
}

/** What came of a round. */
export interface RoundResult {
  readonly round: Round;
  /** No longer pending. */
  readonly done: readonly DeliveryDocument[];
  /** Pending from now on, or still. */
  readonly stillPending: readonly DeliveryDocument[];
  readonly attempts: readonly Attempt[];
  readonly changes: Pick<Partial<Webhook>, 'disabled' | 'failingSince' | 'pausedUntil'>;
  /** An event that tells the company what became of its webhook. */
  readonly notices: Parameters<LogStore['insertOwn']>[0];
  /** Epoch milliseconds. */
  readonly now: number;
  readonly deadline: number;
}

/** The webhook has changed since the round began. */
class WebhookMoved extends Error {
  override readonly name = 'WebhookMoved';
}

/** What is to be sent to webhooks. */
export function deliveryStore(mongo: Mongo, attempts: AttemptStore, logs: LogStore) {
  const webhooks = webhookModel(mongo);
  const deliveries = deliveryModel(mongo);
  const events = eventModel(mongo);
  const ends = logModel(mongo);

  /** The first pending delivery of each subject, and how many there are. */
  const firstPending = (webhookId: number, options: { readonly session: ClientSession }) =>
    deliveries.aggregate<{ _id: string; nextAttemptAt: Date; count: number }>(
      [
        { $match: { webhookId } },
        { $sort: { webhookId: 1, subject: 1, seq: 1 } },
        { $group: { _id: '$subject', nextAttemptAt: { $first: '$nextAttemptAt' }, count: { $sum: 1 } } },
      ],
      options,
    );

  /** The next events of the log, or of a replay. */
  const readPage = async (webhook: Webhook, limit: number, snapshot: ReadOptions<'snapshot'>) => {
    const { companyId, position, replay = null } = webhook;
    const { removed, seq } = (await ends.findOne({ _id: companyId }, null, snapshot).lean()) ?? EMPTY;
    if (limit === 0) return { events: [], moved: { position, replay }, hasMore: false, hasGap: false };
    // Beyond the end, too, as after a restored backup.
    const hasGap = !replay && (position < removed || position > seq);
    const from = position > seq ? seq : Math.max(replay?.position ?? position, removed);
    const to = replay?.to ?? seq;
    const end = Math.max(from, Math.min(to, from + SCANNED));
    const found = await events
      .find({ companyId, seq: { $gt: from, $lte: end }, ...typeFilter(webhook) }, null, {
        ...snapshot,
        sort: { seq: 1 },
        limit,
      })
      .lean<EventDocument[]>();
    const reached = found.length === limit ? (found.at(-1)?.seq ?? end) : end;
    const rest = replay && reached < to ? { position: reached, to } : null;
    const moved = { position: replay ? position : reached, replay: rest };
    return { events: found, moved, hasMore: rest !== null || moved.position < seq, hasGap };
  };

  return {
    /** What a webhook is to be sent now; undefined if that is nothing. */
    load: (id: number, now: number): Promise<Round | undefined> =>
      inSnapshot(mongo, async (snapshot) => {
        const due = new Date(now);
        const found = await webhooks
          .findOne({ _id: id, ...activeAt(now) }, null, snapshot)
          .lean<WebhookDocument>();
        if (!found) return undefined;
        const webhook = toWebhook(found);
        const first = await firstPending(id, snapshot);
        const blockedSubjects = new Set(first.map(({ _id }) => _id));
        const ready = first
          .filter(({ nextAttemptAt }) => nextAttemptAt <= due)
          .toSorted((a, b) => a.nextAttemptAt.getTime() - b.nextAttemptAt.getTime())
          .slice(0, PAGE)
          .map(({ _id }) => _id);
        const pending = await deliveries
          .find({ webhookId: id, subject: { $in: ready } }, null, {
            ...snapshot,
            sort: { seq: 1 },
            limit: 4 * PAGE,
          })
          .lean<DeliveryDocument[]>();
        const count = first.reduce((sum, head) => sum + head.count, 0);
        const limit = Math.max(0, Math.min(PAGE, MAX_PENDING - count));
        const page = await readPage(webhook, limit, snapshot);
        const fresh = page.events.map((event) => newDelivery(id, event, now));
        const free = fresh.filter(({ subject }) => !blockedSubjects.has(subject));
        const bySubject = Map.groupBy([...pending, ...free], ({ subject }) => subject);
        const queues = [...ready, ...new Set(free.map(({ subject }) => subject))].map((subject) => {
          const all = bySubject.get(subject) ?? [];
          const wait = all.findIndex(({ nextAttemptAt }) => nextAttemptAt > due);
          return wait < 0 ? all : all.slice(0, wait);
        });
        const blocked = fresh.filter(({ subject }) => blockedSubjects.has(subject));
        const isAwake = Boolean(webhook.wakeAt && webhook.wakeAt <= due);
        const hasMoved = page.moved.position !== webhook.position || Boolean(webhook.replay);
        if (!isAwake && !hasMoved && queues.length === 0) return undefined;
        return { webhook, queues, blocked, moved: page.moved, hasMore: page.hasMore, hasGap: page.hasGap };
      }),

    /** Stores what came of a round, all or nothing. Resolves to false if the webhook has changed since it began. */
    commit: async (result: RoundResult): Promise<boolean> => {
      const { round, done, stillPending, attempts: made, changes, notices, now, deadline } = result;
      const { id: _id, revision } = round.webhook;
      const work = async (session: ClientSession): Promise<boolean> => {
        const writes = [
          ...done.map((one) => ({ deleteOne: { filter: { _id: one._id } } })),
          ...stillPending.map((one) => ({
            replaceOne: { filter: { _id: one._id }, replacement: one, upsert: true },
          })),
        ];
        if (writes.length > 0) await deliveries.bulkWrite(writes, { session });
        if (made.length > 0) await attempts.insert(made, session);
        const after = await firstPending(_id, { session });
        const pending = after.reduce((sum, head) => sum + head.count, 0);
        const wakeAt = after.map(({ nextAttemptAt }) => nextAttemptAt).toSorted((a, b) => +a - +b)[0] ?? null;
        const { position, replay } = round.moved;
        const state = { ...changes, position, replay, pending, wakeAt };
        const update = { $set: state, $inc: { revision: 1 } };
        const { matchedCount } = await webhooks.updateOne({ _id, revision }, update, { session });
        if (matchedCount === 0) throw new WebhookMoved();
        if (notices.length > 0) await logs.insertOwn(notices, now, session);
        return true;
      };
      try {
        return await inTransaction(mongo, deadline, work);
      } catch (error) {
        if (error instanceof WebhookMoved) return false;
        throw error;
      }
    },
  };
}

const newDelivery = (webhookId: number, event: EventDocument, now: number): DeliveryDocument => {
  const logged = toLoggedEvent(toEntry(event));
  const { id: eventId, type, body } = messageOf(logged);
  return {
    _id: `${webhookId}:${event.seq}`,
    webhookId,
    seq: event.seq,
    subject: subjectOf(logged),
    eventId,
    type,
    body,
    failures: 0,
    nextAttemptAt: new Date(now),
  };
};
