import type { Mongo } from '@joblisting/service-kit';
import { eventModel } from '../models/event.ts';
import { logModel } from '../models/log.ts';
import { type WebhookDocument, webhookModel } from '../models/webhook.ts';
import { MAX_PENDING } from './delivery-store.ts';
import { activeAt } from './webhook-store.ts';

export type WorkStore = ReturnType<typeof workStore>;

/** A webhook that has something to send. */
export interface Work {
  readonly id: number;
  readonly isFailing: boolean;
}

const READ_FIELDS = { companyId: 1, position: 1, pending: 1, wakeAt: 1, replay: 1, failingSince: 1 };
type Read = Pick<
  WebhookDocument,
  '_id' | 'companyId' | 'position' | 'pending' | 'wakeAt' | 'replay' | 'failingSince'
>;

/** Of so many the oldest event is looked for. */
const LOOKED_AT = 100;

/** Which webhooks have something to send, and for how long they wait. */
export function workStore(mongo: Mongo) {
  const webhooks = webhookModel(mongo);
  const events = eventModel(mongo);
  const logs = logModel(mongo);

  /** Those that may be sent to now, each with whether its log has more for it. */
  const readEnabled = async (now: number) => {
    const enabled = await webhooks.find(activeAt(now), READ_FIELDS).lean<Read[]>();
    const companyIds = [...new Set(enabled.map(({ companyId }) => companyId))];
    const found = await logs.find({ _id: { $in: companyIds } }).lean();
    const seqs = new Map(found.map(({ _id, seq }) => [_id, seq]));
    return enabled.map((webhook) => {
      const { companyId, position, replay } = webhook;
      return { webhook, isBehind: Boolean(replay) || position !== (seqs.get(companyId) ?? 0) };
    });
  };

  return {
    find: async (now: number): Promise<readonly Work[]> =>
      (await readEnabled(now))
        .filter(
          ({ webhook: { wakeAt, pending }, isBehind }) =>
            (isBehind && pending < MAX_PENDING) || (wakeAt && wakeAt.getTime() <= now),
        )
        .map(({ webhook: { _id, failingSince } }) => ({ id: _id, isFailing: Boolean(failingSince) })),

    /** When the oldest event was logged that a webhook is to be sent whose receiver does not fail, in epoch ms. */
    oldestWaiting: async (now: number): Promise<number | undefined> => {
      const next = (await readEnabled(now))
        .filter(({ webhook, isBehind }) => isBehind && !webhook.failingSince && !webhook.replay)
        .slice(0, LOOKED_AT)
        .map(({ webhook: { companyId, position } }) => ({ companyId, seq: position + 1 }));
      if (next.length === 0) return undefined;
      const oldest = await events.findOne({ $or: next }, { loggedAt: 1 }).sort({ loggedAt: 1 }).lean();
      return oldest?.loggedAt.getTime();
    },

    countByState: async (): Promise<Readonly<Record<'enabled' | 'failing' | 'disabled', number>>> => {
      const [all, disabled, failing] = [
        await webhooks.countDocuments({}),
        await webhooks.countDocuments({ disabled: { $ne: null } }),
        await webhooks.countDocuments({ disabled: null, failingSince: { $ne: null } }),
      ];
      return { enabled: all - disabled - failing, failing, disabled };
    },
  };
}
