import { type Clock, type Log, semaphore } from '@joblisting/service-kit';
import { keptConnections, type SendMessage } from '../clients/receiver.ts';
import type { Attempt } from '../domain/attempt.ts';
import { isOver, nextAttemptAt, waitOf } from '../domain/retry.ts';
import { secretsOf } from '../domain/webhook.ts';
import type { DeliveryDocument } from '../models/delivery.ts';
import type { DeliveryStore, Round, RoundResult } from '../store/delivery-store.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

/** How long a receiver may take to answer. */
export const ATTEMPT_MS = 15_000;
/** How many subjects of one webhook are sent at once. */
const AT_ONCE = 4;
/** No attempt starts later in a round: its results are stored soon. */
const START_WITHIN_MS = 10_000;
const COMMIT_MS = 5000;

export interface RoundDeps {
  readonly deliveries: DeliveryStore;
  readonly send: SendMessage;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: WebhookMetrics;
  /** Whether this replica may send. */
  readonly mayGoOn: () => boolean;
  /** Called after an event was added to the log of a company. */
  readonly onLogged: (companyId: number) => void;
}

/** How a round ended. */
interface RoundEnd {
  /** There may be more to send at once. */
  readonly hasMore: boolean;
  readonly attempts: number;
}

const NOTHING_SENT: RoundEnd = { hasMore: false, attempts: 0 };

/** Sends what is due to one webhook: subjects beside each other, and the events of each in order until one fails. */
export function roundSender(deps: RoundDeps): (webhookId: number) => Promise<RoundEnd> {
  const { deliveries, clock, log, metrics, mayGoOn, onLogged } = deps;

  return async (webhookId) => {
    const round = await deliveries.load(webhookId, clock.now());
    if (!round || !mayGoOn()) return NOTHING_SENT;
    const sent = await sendQueues(round, deps);
    for (const { result } of sent.attempts) metrics.attempted(result.outcome);
    const now = clock.now();
    const conclusion = conclude(round, sent, now);
    const isStored = await deliveries.commit({
      round,
      attempts: sent.attempts,
      ...conclusion,
      now,
      deadline: Date.now() + COMMIT_MS,
    });
    const attempts = sent.attempts.length;
    if (!isStored) return { hasMore: true, attempts };
    const { companyId } = round.webhook;
    if (conclusion.notices.length > 0) {
      log.warn(
        { webhookId, companyId, notices: conclusion.notices },
        'a webhook was disabled, or lost events',
      );
      onLogged(companyId);
    }
    // A webhook that begins to fail goes on with the others that do.
    const hasMore = !conclusion.changes.failingSince && (sent.done.length > 0 || round.hasMore);
    return { hasMore, attempts };
  };
}

interface Sent {
  readonly done: DeliveryDocument[];
  /** Failed for too long. */
  readonly givenUp: DeliveryDocument[];
  readonly stillPending: DeliveryDocument[];
  readonly attempts: Attempt[];
  isGone: boolean;
  pauseMs: number;
}

async function sendQueues(round: Round, { send, clock, mayGoOn }: RoundDeps): Promise<Sent> {
  const { webhook } = round;
  const connections = keptConnections(AT_ONCE);
  const sent: Sent = {
    done: [],
    givenUp: [],
    stillPending: [...round.blocked],
    attempts: [],
    isGone: false,
    pauseMs: 0,
  };
  const startBy = performance.now() + START_WITHIN_MS;
  const maySend = () => performance.now() < startBy && !sent.isGone && sent.pauseMs === 0 && mayGoOn();
  const secrets = secretsOf(webhook, clock.now());

  /** Resolves to whether the next event of the subject may be sent. */
  const sendOne = async (delivery: DeliveryDocument): Promise<boolean> => {
    const message = { id: delivery.eventId, type: delivery.type, body: delivery.body };
    const at = clock.now();
    const result = await send({ url: webhook.url, message, secrets, limitMs: ATTEMPT_MS, connections });
    const now = clock.now();
    const isDelivered = result.outcome === 'delivered';
    sent.isGone ||= result.status === 410;
    const { retryAfterMs } = result;
    sent.pauseMs = Math.max(sent.pauseMs, waitOf(retryAfterMs) ?? 0);
    const failures = {
      failures: delivery.failures,
      firstFailedAt: delivery.firstFailedAt?.getTime() ?? null,
    };
    const next = isDelivered ? null : nextAttemptAt(failures, { now, retryAfterMs, random: Math.random() });
    const event = { id: delivery.eventId, type: delivery.type };
    sent.attempts.push({ webhookId: webhook.id, event, at, result, nextAttemptAt: next });
    if (next === null) {
      (isDelivered ? sent.done : sent.givenUp).push(delivery);
      return true;
    }
    sent.stillPending.push({
      ...delivery,
      failures: delivery.failures + 1,
      firstFailedAt: delivery.firstFailedAt ?? new Date(now),
      nextAttemptAt: new Date(next),
    });
    return false;
  };

  const limit = semaphore(webhook.failingSince ? 1 : AT_ONCE);
  const sendQueue = async (queue: readonly DeliveryDocument[]): Promise<void> => {
    for (const [index, delivery] of queue.entries()) {
      const isSent = maySend();
      if (isSent && (await sendOne(delivery))) continue;
      sent.stillPending.push(...queue.slice(isSent ? index + 1 : index));
      return;
    }
  };
  try {
    await Promise.all(round.queues.map((queue) => limit(() => sendQueue(queue))));
  } finally {
    connections.close();
  }
  return sent;
}

/** What the attempts mean for the webhook itself. */
function conclude(
  round: Round,
  sent: Sent,
  now: number,
): Pick<RoundResult, 'changes' | 'notices' | 'done' | 'stillPending'> {
  const { webhook, hasGap } = round;
  const first = sent.attempts[0]?.at;
  const isFailing =
    first !== undefined && sent.attempts.every(({ result }) => result.outcome !== 'delivered');
  const failingSince = isFailing ? (webhook.failingSince ?? new Date(first)) : null;
  const hasFailedTooLong = isFailing && isOver(failingSince?.getTime() ?? null, now);
  const reason = reasonOf(sent.isGone, hasFailedTooLong);
  const notices = [
    ...(hasGap || (!reason && sent.givenUp.length > 0) ? [noticeOf(round, 'webhook.events_lost', now)] : []),
    ...(reason ? [noticeOf(round, 'webhook.disabled', now, reason)] : []),
  ];
  const changes = {
    ...(first !== undefined && { failingSince }),
    ...(sent.pauseMs > 0 && { pausedUntil: new Date(now + sent.pauseMs) }),
    ...(reason && { disabled: { reason, at: new Date(now) } }),
  };
  // Nothing is lost of a webhook that is disabled.
  const done = reason ? sent.done : [...sent.done, ...sent.givenUp];
  return { changes, notices, done, stillPending: sent.stillPending };
}

const reasonOf = (isGone: boolean, hasFailedTooLong: boolean): 'gone' | 'failing' | undefined => {
  if (isGone) return 'gone';
  return hasFailedTooLong ? 'failing' : undefined;
};

const noticeOf = (
  { webhook }: Round,
  type: 'webhook.events_lost' | 'webhook.disabled',
  now: number,
  reason?: 'gone' | 'failing',
): RoundResult['notices'][number] => ({
  id: `webhook:${webhook.id}:${webhook.revision}:${type.slice('webhook.'.length)}`,
  type,
  companyId: webhook.companyId,
  at: new Date(now),
  webhook: { id: webhook.id, ...(reason && { reason }) },
});
