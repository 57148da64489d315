import { type BodyOf, type replayEvents, ServiceError, type ViolationCode } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { parseCursor, requireReached } from '../domain/cursor.ts';
import { typeFilter } from '../domain/webhook.ts';
import type { LogState, LogStore } from '../store/log-store.ts';
import type { WebhookStore } from '../store/webhook-store.ts';
import { findOwn, requireFound } from './own-webhook.ts';

interface ReplayDeps {
  readonly webhooks: WebhookStore;
  readonly logs: LogStore;
  readonly clock: Clock;
}

const COUNTED = 10_000;

/**
 * Sends events that the log still has again, in order, before those that are new. Throws `validation_failed`,
 * `webhook_not_found`, `cursor_expired`.
 */
export function replayEventsHandler({ webhooks, logs, clock }: ReplayDeps): Handler<typeof replayEvents> {
  /** The numbers that are sent again: those after the first, up to the second. */
  const rangeOf = async (
    { after, from, to }: BodyOf<typeof replayEvents>,
    log: LogState,
    companyId: number,
  ): Promise<readonly [number, number]> => {
    if (after !== undefined) {
      const cursor = parseCursor(after, companyId);
      if (typeof cursor === 'string') throw invalid('after', 'invalid_value', cursor);
      requireReached(cursor, log);
      return [cursor.seq, log.seq];
    }
    const numberBefore = async (instant: string) =>
      (await logs.lastBefore(companyId, Date.parse(instant))) ?? log.removed;
    return [await numberBefore(from ?? ''), to === undefined ? log.seq : await numberBefore(to)];
  };

  return async ({ params, body, context, keep }) => {
    const webhook = await findOwn(webhooks, params.id, context);
    requireRange(body);
    const { companyId } = webhook;
    const [position, to] = await rangeOf(body, await logs.stateOf(companyId), companyId);
    const range = { after: position, to, filter: typeFilter(webhook) };
    const data = { events: await logs.count(companyId, range, COUNTED) };
    const now = clock.now();
    const replayed = await webhooks.replay(
      params.id,
      { position, to },
      {
        now,
        deadline: context.deadline,
        keep: keep && (() => keep({ outcome: 'accepted', data }, now)),
      },
    );
    requireFound(replayed, context);
    return { outcome: 'accepted', data };
  };
}

function requireRange({ after, from, to }: BodyOf<typeof replayEvents>): void {
  if (after === undefined && from === undefined) throw invalid('after', 'required', 'Send after, or from.');
  if (after !== undefined && (from ?? to) !== undefined)
    throw invalid('after', 'mismatch', 'Send after alone, or from and to.');
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
    throw invalid('to', 'mismatch', 'to must be later than from.');
}

const invalid = (name: string, code: ViolationCode, detail: string): ServiceError =>
  new ServiceError('validation_failed', undefined, { errors: [{ pointer: `#/${name}`, code, detail }] });
