import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookAttempts,
  listWebhooks,
  replayEvents,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@joblisting/contracts';
import { newWebhook, webhook, webhookAttempt, webhookWithSecret } from './examples.ts';
import type { Row } from './row.ts';

const access = { keys: 'keys', scope: 'webhooks:write' } as const;
const tag = 'Webhooks';
const byId = { id: webhook.id };

export const webhookRows: readonly Row[] = [
  {
    method: 'POST',
    path: '/webhooks',
    name: 'createWebhook',
    operation: createWebhook,
    access,
    tag,
    description: [
      'Registers an address that the events of one company are sent to from now on, by POST, as Standard Webhooks has it. Only this answer shows the `secret` that they are signed with. The address must be https on the public internet; private, local and reserved ones are refused, here or with each attempt.',
      'Events of one job come in order: while one waits for its next attempt, later ones of that job wait behind it. An event can come more than once, always under the same `webhook-id`. Answer 2xx within 15 seconds; anything else, redirects too, is a failed attempt. It is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, up to a tenth later; with 429 or 503 and `Retry-After` nothing is sent until then, at most for a day. 410 disables the webhook.',
      'Where all attempts fail for three days the webhook is disabled, and `webhook.disabled` is in the log. Nothing is lost: a PUT enables it again, and it goes on where it stopped. An event that fails for three days while others arrive is given up, and `webhook.events_lost` is in the log; a replay sends it again. While 1,000 events wait for their next attempts, nothing new is sent.',
    ].join('\n\n'),
    location: (id) => `/webhooks/${id}`,
    examples: { body: newWebhook, data: webhookWithSecret },
  },
  {
    method: 'GET',
    path: '/webhooks',
    name: 'listWebhooks',
    operation: listWebhooks,
    access,
    tag,
    description: 'The webhooks of one company with their states, by id; 20 at most by default.',
    examples: { parameters: { 'company.id': 1 }, data: [webhook] },
  },
  {
    method: 'GET',
    path: '/webhooks/{id}',
    name: 'getWebhook',
    operation: getWebhook,
    access,
    tag,
    description:
      'One webhook: whether it is enabled, why not and since when, since when its attempts fail, and how many events wait.',
    examples: { parameters: byId, data: webhook },
  },
  {
    method: 'PUT',
    path: '/webhooks/{id}',
    name: 'updateWebhook',
    operation: updateWebhook,
    access,
    tag,
    description:
      'Changes the properties that are sent. `{"state": "enabled"}` enables a webhook again: what waits is tried at once, in order, and so is everything that came meanwhile, as far as the log reaches back. If events are no longer there, `webhook.events_lost` is in the log: read `GET /jobs/changes`.',
    examples: { parameters: byId, body: { state: 'enabled' }, data: webhook },
  },
  {
    method: 'DELETE',
    path: '/webhooks/{id}',
    name: 'deleteWebhook',
    operation: deleteWebhook,
    access,
    tag,
    description: 'Deletes a webhook with its attempts. An attempt that is under way may still arrive.',
    examples: { parameters: byId },
  },
  {
    method: 'POST',
    path: '/webhooks/{id}/test',
    name: 'testWebhook',
    operation: testWebhook,
    access,
    tag,
    description:
      'Sends an event of the type `webhook.test` at once, also to a disabled webhook, and answers how that went. The receiver has a little less time than the request. A failure changes nothing.',
    success: 'How the attempt went.',
    examples: {
      parameters: byId,
      data: {
        ...webhookAttempt,
        event: { id: 'test:0b1e8f0c-8f0e-4d57-9d1f-0c3d3a6f1c11', type: 'webhook.test' },
        status: 204,
        outcome: 'delivered',
        nextAttemptAt: null,
      },
    },
  },
  {
    method: 'GET',
    path: '/webhooks/{id}/attempts',
    name: 'listWebhookAttempts',
    operation: listWebhookAttempts,
    access,
    tag,
    description:
      'What was sent and how it went, newest first: of the last 30 days, and the last 1,000. `address_forbidden`: the name leads to an address that is not on the public internet.',
    paged: true,
    examples: { parameters: byId, data: [webhookAttempt] },
  },
  {
    method: 'POST',
    path: '/webhooks/{id}/replay',
    name: 'replayEvents',
    operation: replayEvents,
    access,
    tag,
    description:
      'Sends events of the log again, in order and before new ones, under the ids that they had: all after a cursor, or those that were logged in a time. The answer comes before they are sent. A disabled webhook gets them once it is enabled.',
    success: 'How many events that is.',
    accepted: true,
    examples: {
      parameters: byId,
      body: { from: '2026-12-31T00:00:00Z', to: '2027-01-01T00:00:00Z' },
      data: { events: 214 },
    },
  },
  {
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    name: 'rotateWebhookSecret',
    operation: rotateWebhookSecret,
    access,
    tag,
    description:
      'Replaces the secret, and shows the new one in this answer alone. For 24 hours events have a signature by each of the two.',
    success: 'The webhook with its new secret.',
    examples: { parameters: byId, data: webhookWithSecret },
  },
];
