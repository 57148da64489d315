import { describe, expect, it } from '@jest/globals';
import { type Scope, scopes } from '@joblisting/contracts';
import { createClient, type Send, useWorld } from '../../src/index.ts';

const world = useWorld();

/** The scope of every operation that needs keys, with an example of it. */
const operations: [Scope, string, string, Send][] = [
  ['jobs:read', 'GET', '/jobs/1', {}],
  ['jobs:read', 'HEAD', '/jobs/1', {}],
  ['jobs:read', 'GET', '/jobs?company.id=%', {}],
  ['jobs:read', 'GET', '/jobs/1/metrics', {}],
  ['jobs:read', 'HEAD', '/jobs/1/metrics', {}],
  ['jobs:read', 'GET', '/jobs/changes?company.id=%', {}],
  ['jobs:read', 'HEAD', '/jobs/changes?company.id=%', {}],
  ['events:read', 'GET', '/events?company.id=%', {}],
  ['events:read', 'HEAD', '/events?company.id=%', {}],
  ['webhooks:write', 'POST', '/webhooks', {}],
  ['webhooks:write', 'GET', '/webhooks?company.id=%', {}],
  ['webhooks:write', 'HEAD', '/webhooks?company.id=%', {}],
  ['webhooks:write', 'GET', '/webhooks/1', {}],
  ['webhooks:write', 'HEAD', '/webhooks/1', {}],
  ['webhooks:write', 'PUT', '/webhooks/1', {}],
  ['webhooks:write', 'DELETE', '/webhooks/1', {}],
  ['webhooks:write', 'POST', '/webhooks/1', { headers: { 'X-HTTP-Method-Override': 'DELETE' } }],
  ['webhooks:write', 'POST', '/webhooks/1/test', {}],
  ['webhooks:write', 'GET', '/webhooks/1/attempts', {}],
  ['webhooks:write', 'HEAD', '/webhooks/1/attempts', {}],
  ['webhooks:write', 'POST', '/webhooks/1/replay', {}],
  ['webhooks:write', 'POST', '/webhooks/1/rotate-secret', {}],
  ['jobs:write', 'POST', '/jobs', {}],
  ['jobs:write', 'PUT', '/jobs', {}],
  ['jobs:write', 'PUT', '/jobs/1', {}],
  ['jobs:write', 'DELETE', '/jobs', {}],
  ['jobs:write', 'DELETE', '/jobs/1', {}],
  ['jobs:write', 'POST', '/jobs/batch', {}],
  ['jobs:write', 'POST', '/syncs', {}],
  ['jobs:write', 'POST', '/syncs/1/items', {}],
  ['jobs:write', 'POST', '/syncs/1/commit', {}],
  ['jobs:read', 'GET', '/syncs/1', {}],
  ['jobs:read', 'HEAD', '/syncs/1', {}],
  ['jobs:write', 'POST', '/jobs/1', { headers: { 'X-HTTP-Method-Override': 'DELETE' } }],
  ['categories:write', 'POST', '/jobcategories', {}],
  ['categories:write', 'PUT', '/jobcategories/1001', {}],
  ['categories:write', 'DELETE', '/jobcategories/1001', {}],
  ['metrics:write', 'POST', '/metrics/events', {}],
  ['applications:write', 'POST', '/jobs/1/applications', {}],
  ['applications:read', 'GET', '/applications?company.id=%', {}],
  ['applications:read', 'GET', '/applications/1', {}],
  ['applications:read', 'HEAD', '/applications/1', {}],
  ['applications:read', 'GET', '/applications/1/files/1', {}],
  ['applications:read', 'HEAD', '/applications/1/files/1', {}],
  ['applications:write', 'DELETE', '/applications?company.id=%&email=a@b.example', {}],
  ['applications:write', 'DELETE', '/applications/1', {}],
  ['applications:write', 'POST', '/applications/1', { headers: { 'X-HTTP-Method-Override': 'DELETE' } }],
  ['applications:write', 'POST', '/applications/1/copies', {}],
];

/** What the server of a search site sends. */
const WITHOUT_USER_KEY = new Set(['POST /metrics/events', 'POST /jobs/1/applications']);

describe('a scope that the consumer key lacks', () => {
  it('is tested for every operation of the API description that needs keys', async () => {
    const { json } = await world.anonymous.send(`${world.origin}/openapi.json`);
    const described = Object.entries(json.paths as Record<string, Record<string, { security?: object[] }>>)
      .flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, { security = [] }]) => security.length > 0)
          .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '1')}`),
      )
      .toSorted();
    const tested = operations
      .filter(([, method, , { headers }]) => method !== 'HEAD' && !headers)
      .map(([, method, path]) => `${method} ${path.replace(/\?.*/, '').replaceAll(/\d+/g, '1')}`);
    expect([...new Set(tested)].toSorted()).toEqual(described);
  });

  it.each(operations)('%s refuses %s %s', async (scope, method, path, send) => {
    const { secret } = await world.operator.consumerKey(scopes.filter((each) => each !== scope));
    const client = createClient(world.origin, { consumer: secret, user: world.userKey });
    const answer = await client.send(path.replace('%', `${world.companyId}`), { method, ...send });
    expect(answer.status).toBe(403);
    if (method !== 'HEAD') expect(answer.json).toMatchObject({ code: 'scope_missing', data: null });
  });

  it.each(scopes)(
    'a key with %s only allows nothing else, without a user key at most to hand in',
    async (scope) => {
      const { secret } = await world.operator.consumerKey([scope]);
      const allowedTo = async (user?: string): Promise<string[]> => {
        const client = createClient(world.origin, { consumer: secret, user });
        const allowed: string[] = [];
        for (const [, method, path, send] of operations) {
          const { status } = await client.send(path.replace('%', `${world.companyId}`), { method, ...send });
          if (![401, 403].includes(status)) allowed.push(`${method} ${path}`);
        }
        return allowed;
      };
      const own = operations
        .filter(([needed]) => needed === scope)
        .map(([, method, path]) => `${method} ${path}`);
      expect(await allowedTo(world.userKey)).toEqual(own);
      expect(await allowedTo()).toEqual(own.filter((name) => WITHOUT_USER_KEY.has(name)));
    },
  );
});
