import { randomBytes } from 'node:crypto';
import type { DisabledReason, LoggedType, Webhook } from '@joblisting/contracts';
import type { WebhookDocument } from '../models/webhook.ts';

const DAY_MS = 24 * 3600_000;
const SECRET_BYTES = 32;
/** Of secrets that were replaced within a day. */
const FORMER_SECRETS_MAX = 4;

export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** All secrets that events are signed with now, the latest first. */
export const secretsOf = ({ secret, formerSecrets }: WebhookDocument, now: number): readonly string[] => [
  secret,
  ...formerSecrets.filter(({ until }) => until.getTime() > now).map((former) => former.secret),
];

/** The secrets after a rotation: the former one signs as well for a day. */
export const rotated = (
  webhook: WebhookDocument,
  secret: string,
  now: number,
): Pick<WebhookDocument, 'secret' | 'formerSecrets'> => ({
  secret,
  formerSecrets: [
    { secret: webhook.secret, until: new Date(now + DAY_MS) },
    ...webhook.formerSecrets.filter(({ until }) => until.getTime() > now),
  ].slice(0, FORMER_SECRETS_MAX),
});

/** Finds the events that a webhook asks for. */
export const typesAskedFor = ({ types }: Pick<WebhookDocument, 'types'>) =>
  types.includes('*') ? {} : { type: { $in: types as LoggedType[] } };

/** The webhook as the API shows it, without its secret. */
export const toWebhook = (stored: WebhookDocument): Webhook => ({
  id: stored._id,
  company: { id: stored.companyId },
  url: stored.url,
  types: [...stored.types],
  description: stored.description ?? null,
  state: stored.disabled ? 'disabled' : 'enabled',
  disabledReason: (stored.disabled?.reason as DisabledReason | undefined) ?? null,
  disabledAt: stored.disabled?.at.toISOString() ?? null,
  failingSince: stored.failingSince?.toISOString() ?? null,
  pending: stored.pending,
  createdAt: stored.createdAt.toISOString(),
});

export const toWebhookWithSecret = (stored: WebhookDocument) => ({
  ...toWebhook(stored),
  secret: stored.secret,
});
