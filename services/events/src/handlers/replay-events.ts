import {
  type BodyOf,
  refuseInvalid,
  type replayEvents,
  ServiceError,
  type ViolationCode,
} from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { expired, parseCursor } from '../domain/cursor.ts';
import { typesAskedFor } from '../domain/webhook.ts';
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
    { seq, removed }: LogState,
    companyId: number,
  ): Promise<readonly [number, number]> => {
    if (after !== undefined) {
      const cursor = parseCursor(after, companyId);
      if (typeof cursor === 'string') throw invalid('after', 'invalid_value', cursor);
      if (cursor.seq < removed || cursor.seq > seq) throw expired(companyId);
      return [cursor.seq, seq];
    }
    const numberBefore = async (instant: string) =>
      (await logs.lastBefore(companyId, Date.parse(instant))) ?? removed;
    return [await numberBefore(from ?? ''), to === undefined ? seq : await numberBefore(to)];
  };

  return async ({ params, body, violations, context }) => {
    const { companyId } = await findOwn(webhooks, params.id, context);
    refuseInvalid(violations);
    requireRange(body);
    const [position, to] = await rangeOf(body, await logs.stateOf(companyId), companyId);
    const writing = { now: clock.now(), deadline: context.deadline };
    const stored = requireFound(await webhooks.replay(params.id, { position, to }, writing), context);
    const range = { after: position, to, filter: typesAskedFor(stored) };
    return { outcome: 'accepted', data: { events: await logs.count(companyId, range, COUNTED) } };
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
