import { randomBytes } from 'node:crypto';
import type { DisabledReason, LoggedType, Webhook as ShownWebhook } from '@joblisting/contracts';

/** An address that the events of a company are sent to, and how far that has come. */
export interface Webhook {
  readonly id: number;
  readonly companyId: number;
  readonly url: string;
  readonly types: readonly string[];
  readonly description?: string | null;
  readonly secret: string;
  /** Each signs as well until then. */
  readonly formerSecrets: readonly { readonly secret: string; readonly until: Date }[];
  readonly createdAt: Date;
  /** Set while nothing is sent. */
  readonly disabled?: { readonly reason: DisabledReason; readonly at: Date } | null;
  /** The first failed attempt after the last good one. */
  readonly failingSince?: Date | null;
  /** The receiver asked for a pause until then. */
  readonly pausedUntil?: Date | null;
  /** The number of the last event of the log that was sent, is pending, or was not asked for. */
  readonly position: number;
  /** Events after its position up to `to`, which are sent again before new ones. */
  readonly replay?: { readonly position: number; readonly to: number } | null;
  /** How many deliveries are pending. */
  readonly pending: number;
  /** When the first of them is due. */
  readonly wakeAt?: Date | null;
  /** Rises with each change, so that what was decided on an older state is not stored. */
  readonly revision: number;
}

const DAY_MS = 24 * 3600_000;
const SECRET_BYTES = 32;
/** Of secrets that were replaced within a day. */
const FORMER_SECRETS_MAX = 4;

export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** All secrets that events are signed with now, the latest first. */
export const secretsOf = ({ secret, formerSecrets }: Webhook, now: number): readonly string[] => [
  secret,
  ...formerSecrets.filter(({ until }) => until.getTime() > now).map((former) => former.secret),
];

/** The secrets after a rotation: the former one signs as well for a day. */
export const rotated = (
  webhook: Webhook,
  secret: string,
  now: number,
): Pick<Webhook, 'secret' | 'formerSecrets'> => ({
  secret,
  formerSecrets: [
    { secret: webhook.secret, until: new Date(now + DAY_MS) },
    ...webhook.formerSecrets.filter(({ until }) => until.getTime() > now),
  ].slice(0, FORMER_SECRETS_MAX),
});

/** Finds the events that a webhook asks for. */
export const typeFilter = ({ types }: Pick<Webhook, 'types'>) =>
  types.includes('*') ? {} : { type: { $in: types as LoggedType[] } };

/** The webhook as the API shows it, without its secret. */
export const show = (stored: Webhook): ShownWebhook => ({
  id: stored.id,
  company: { id: stored.companyId },
  url: stored.url,
  types: [...stored.types],
  description: stored.description ?? null,
  state: stored.disabled ? 'disabled' : 'enabled',
  disabledReason: stored.disabled?.reason ?? null,
  disabledAt: stored.disabled?.at.toISOString() ?? null,
  failingSince: stored.failingSince?.toISOString() ?? null,
  pending: stored.pending,
  createdAt: stored.createdAt.toISOString(),
});

export const showWithSecret = (stored: Webhook) => ({
  ...show(stored),
  secret: stored.secret,
});
