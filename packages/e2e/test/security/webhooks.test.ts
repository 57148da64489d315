import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, useWorld } from '../../src/index.ts';

const world = useWorld();
const company = (id: number) => ({ company: { id } });
const webhookBody = { url: 'https://hooks.example.com/', types: ['*'] };

/** A webhook of the other company, which the first one must not read or use. */
const theirs = { webhookId: 0 };
beforeAll(async () => {
  const { json } = await world.otherApi.post('/webhooks', {
    ...webhookBody,
    ...company(world.otherCompanyId),
  });
  theirs.webhookId = json.data.id;
});

describe("another company's", () => {
  const attempts: [string, number, string, (api: Client) => ReturnType<Client['get']>][] = [
    ['webhooks', 403, 'company_forbidden', (api) => api.get(`/webhooks?company.id=${world.otherCompanyId}`)],
    [
      'name on a new webhook',
      403,
      'company_forbidden',
      (api) => api.post('/webhooks', { ...webhookBody, ...company(world.otherCompanyId) }),
    ],
    ['webhook', 404, 'webhook_not_found', (api) => api.get(`/webhooks/${theirs.webhookId}`)],
    [
      'webhook, moved',
      404,
      'webhook_not_found',
      (api) => api.put(`/webhooks/${theirs.webhookId}`, { url: 'https://mine.example.com/' }),
    ],
    ['webhook, deleted', 404, 'webhook_not_found', (api) => api.delete(`/webhooks/${theirs.webhookId}`)],
    ['webhook, tested', 404, 'webhook_not_found', (api) => api.post(`/webhooks/${theirs.webhookId}/test`)],
    [
      'attempts of a webhook',
      404,
      'webhook_not_found',
      (api) => api.get(`/webhooks/${theirs.webhookId}/attempts`),
    ],
    [
      'events, replayed',
      404,
      'webhook_not_found',
      (api) => api.post(`/webhooks/${theirs.webhookId}/replay`, { from: '2026-01-01T00:00:00Z' }),
    ],
    [
      'secret of a webhook',
      404,
      'webhook_not_found',
      (api) => api.post(`/webhooks/${theirs.webhookId}/rotate-secret`),
    ],
  ];

  it.each(attempts)('%s: %d', async (_what, status, code, attempt) => {
    const read = async () => (await world.otherApi.get(`/webhooks/${theirs.webhookId}`)).json;
    const before = await read();
    const { status: answered, json } = await attempt(world.api);
    expect([answered, json.code]).toEqual([status, code]);
    expect(await read()).toEqual(before);
  });
});
