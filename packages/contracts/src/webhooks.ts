import { type Static, Type } from 'typebox';
import { Instant } from './application-body.ts';
import { operationsOf } from './define.ts';
import { LoggedEvent, loggedTypes } from './events.ts';
import { Int32, NoParams, Nullable, OneOf, ReadOnly, Text } from './fields.ts';
import { CompanyId } from './resources.ts';

const operation = operationsOf('events');

/** What a webhook can ask for. `*`: all types, also those that releases add. */
export const webhookTypes = [...loggedTypes, '*'] as const;

/** Why a webhook is disabled: an attempt was answered with 410, all failed for three days, or a PUT asked for it. */
export const disabledReasons = ['gone', 'failing', 'requested'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** How an attempt ended. `refused`: with a status that is no 2xx. */
export const attemptOutcomes = [
  'delivered',
  'refused',
  'timeout',
  'connection_failed',
  'name_not_resolved',
  'address_forbidden',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  format: 'web-url',
  description: 'Where events are sent: https, at a public address.',
});
const Types = Type.Array(OneOf(webhookTypes), {
  minItems: 1,
  maxItems: webhookTypes.length,
  description: 'The types of events that are sent; `*` stands for all.',
});
const Description = Nullable(Text(256), { description: 'For people.' });
const State = OneOf(['enabled', 'disabled']);

const readOnly = {
  id: ReadOnly(Int32()),
  disabledReason: ReadOnly(Type.String()),
  disabledAt: ReadOnly(Instant),
  failingSince: ReadOnly(Instant),
  pending: ReadOnly(Type.Integer()),
  createdAt: ReadOnly(Instant),
};

export const NewWebhook = Type.Object({
  ...readOnly,
  company: Type.Object({ id: Int32(), name: ReadOnly(Type.String()) }),
  url: Url,
  types: Types,
  description: Type.Optional(Description),
  state: ReadOnly(Type.String()),
});

export const WebhookChanges = Type.Object({
  ...readOnly,
  company: ReadOnly(Type.Object({})),
  url: Type.Optional(Url),
  types: Type.Optional(Types),
  description: Type.Optional(Description),
  state: Type.Optional(State),
});

const shown = {
  id: Int32(),
  company: CompanyId,
  url: Type.String({ maxLength: 2000 }),
  types: Type.Array(Type.String()),
  description: Nullable(Type.String({ maxLength: 256 })),
  state: State,
  disabledReason: Nullable(OneOf(disabledReasons), {
    description:
      '`gone`: it answered 410. `failing`: every attempt failed for three days. `requested`: by a PUT.',
  }),
  disabledAt: Nullable(Instant),
  failingSince: Nullable(Instant, { description: 'The first failed attempt after the last good one.' }),
  pending: Type.Integer({ description: 'Events that wait for another attempt, or behind one that does.' }),
  createdAt: Instant,
};

export const Webhook = Type.Object(shown);
export type Webhook = Static<typeof Webhook>;

/** A webhook with the secret that its events are signed with. */
export const WebhookWithSecret = Type.Object({
  ...shown,
  secret: Type.String({ description: '`whsec_` and base64. Only this answer shows it.' }),
});

/** The body of a delivery, as Standard Webhooks recommends. */
export const WebhookMessage = Type.Object({
  type: Type.String({ description: 'The type of the event; `webhook.test` of a test.' }),
  timestamp: Type.String({ format: 'date-time', description: 'When the event happened.' }),
  data: LoggedEvent,
});
export type WebhookMessage = Static<typeof WebhookMessage>;

export const WebhookAttempt = Type.Object({
  id: Type.String(),
  event: Type.Object({ id: Type.String(), type: Type.String() }),
  at: Instant,
  status: Nullable(Type.Integer(), { description: 'The HTTP status that was answered.' }),
  durationMs: Type.Integer(),
  outcome: OneOf(attemptOutcomes),
  nextAttemptAt: Nullable(Instant, { description: 'null where none follows.' }),
});
export type WebhookAttempt = Static<typeof WebhookAttempt>;

const replayFields = {
  after: Type.Optional(Text(100, { description: 'A cursor of `GET /events`: sends all events after it.' })),
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Sends the events that were logged from then on.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'With `from`: only those before it.' })),
};
export const ReplayRequest = Type.Object(replayFields);

export const WebhookReplay = Type.Object({
  events: Type.Integer({ description: 'How many events that is; counted up to 10000.' }),
});

const ById = Type.Object({ id: Int32() });
const page = Type.Optional(Int32({ minimum: 1, default: 1, description: 'Page to return.' }));

export const createWebhook = operation('webhooks.create', {
  summary: 'Register an address that events are sent to',
  params: NoParams,
  body: NewWebhook,
  reply: WebhookWithSecret,
  errors: ['company_forbidden', 'webhook_limit'],
  collectsViolations: true,
  takesIdempotencyKey: true,
});

export const listWebhooks = operation('webhooks.list', {
  summary: 'List the webhooks of a company',
  params: Type.Object({ 'company.id': Int32({ description: 'Company whose webhooks are listed.' }) }),
  body: undefined,
  reply: Type.Array(Webhook),
  errors: ['company_forbidden'],
});

export const getWebhook = operation('webhooks.get', {
  summary: 'Read one webhook',
  params: ById,
  body: undefined,
  reply: Webhook,
  errors: ['webhook_not_found'],
});

export const updateWebhook = operation('webhooks.update', {
  summary: 'Change, enable or disable a webhook',
  params: ById,
  body: WebhookChanges,
  reply: Webhook,
  errors: ['webhook_not_found'],
  collectsViolations: true,
});

export const deleteWebhook = operation('webhooks.delete', {
  summary: 'Delete a webhook',
  params: ById,
  body: undefined,
  reply: undefined,
  errors: ['webhook_not_found'],
});

/** For `accounts`, when it deletes a company. */
export const removeWebhooks = operation('company.remove', {
  summary: "Remove a company's webhooks",
  params: NoParams,
  body: Type.Object({ companyId: Int32() }),
  reply: Type.Object({ removed: Type.Integer() }),
});

/** Replies once the receiver has answered, or soon before the deadline of the request. */
export const testWebhook = operation('webhooks.test', {
  summary: 'Send a test event at once',
  params: ById,
  body: undefined,
  reply: WebhookAttempt,
  errors: ['webhook_not_found'],
  takesIdempotencyKey: true,
});

export const listWebhookAttempts = operation('webhooks.attempts.list', {
  summary: 'List the attempts of a webhook, newest first',
  params: Type.Object({
    id: Int32(),
    pageSize: Type.Optional(
      Int32({ minimum: 1, maximum: 1000, default: 50, description: 'Records per page.' }),
    ),
    page,
  }),
  body: undefined,
  reply: Type.Array(WebhookAttempt),
  errors: ['webhook_not_found'],
});

export const replayEvents = operation('webhooks.replay', {
  summary: 'Send events of the change log again',
  params: ById,
  body: ReplayRequest,
  reply: WebhookReplay,
  errors: ['webhook_not_found', 'cursor_expired'],
  takesIdempotencyKey: true,
});

/** Events are signed with the former secret as well for a day. */
export const rotateWebhookSecret = operation('webhooks.rotate-secret', {
  summary: 'Replace the secret of a webhook',
  params: ById,
  body: undefined,
  reply: WebhookWithSecret,
  errors: ['webhook_not_found'],
  takesIdempotencyKey: true,
});
