import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  checkSecret,
  hashSecret,
  issueConsumerKey,
  issueUserKey,
  MOST_PER_MINUTE,
} from '@joblisting/contracts';
import { client, context, type Running, runAccounts } from './running-accounts.ts';

let running: Running;
let companyIds: number[];
beforeAll(async () => {
  running = await runAccounts();
  const api = client(running.bus);
  companyIds = [(await api.company()).id, (await api.company()).id];
});
afterAll(() => running.stop());

const consumer = (body: unknown) => running.bus.request(issueConsumerKey, { body, context: context() });
const user = (body: unknown) => running.bus.request(issueUserKey, { body, context: context() });

describe('issueConsumerKey', () => {
  it('returns the key with each scope once, and its secret', async () => {
    const { outcome, id, data } = await consumer({
      name: 'Importer',
      scopes: ['jobs:write', 'jobs:read', 'jobs:write'],
      expiresAt: '2027-01-01T00:00:00Z',
    });
    expect(outcome).toBe('created');
    expect(id).toBe(data.key.id);
    expect(checkSecret(data.secret)).toBe('consumer');
    expect(data.key).toEqual({
      id: expect.any(Number),
      kind: 'consumer',
      name: 'Importer',
      scopes: ['jobs:write', 'jobs:read'],
      companyIds: [],
      readsPerMinute: null,
      writesPerMinute: null,
      secrets: [
        {
          lastFour: data.secret.slice(-4),
          createdAt: '2026-03-01T12:00:00.000Z',
          expiresAt: '2027-01-01T00:00:00.000Z',
          lastUsedAt: null,
        },
      ],
      revokedAt: null,
    });
  });

  it('returns the limits of the key', async () => {
    const limits = { readsPerMinute: MOST_PER_MINUTE, writesPerMinute: 1 };
    const { data } = await consumer({ name: 'Importer', scopes: ['jobs:read'], ...limits });
    expect(data.key).toMatchObject(limits);
  });

  it('stores no secret', async () => {
    const { data } = await consumer({ name: 'Importer', scopes: ['jobs:read'] });
    const stored = JSON.stringify(await running.mongo.collection('keys').find().toArray());
    expect(stored).toContain(hashSecret(data.secret));
    expect(stored).not.toContain(data.secret.slice(4, -4));
  });

  it.each([
    [{ name: 'x', scopes: [] }, '#/scopes'],
    [{ name: 'x', scopes: ['jobs:admin'] }, '#/scopes/0'],
    [{ name: ' ', scopes: ['jobs:read'] }, '#/name'],
    [{ name: 'x', scopes: ['jobs:read'], expiresAt: 'tomorrow' }, '#/expiresAt'],
    [{ name: 'x', scopes: ['jobs:read'], readsPerMinute: 0 }, '#/readsPerMinute'],
    [{ name: 'x', scopes: ['jobs:read'], writesPerMinute: MOST_PER_MINUTE + 1 }, '#/writesPerMinute'],
  ])('refuses %j', async (body, pointer) => {
    await expect(consumer(body)).rejects.toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });
});

describe('issueUserKey', () => {
  it('returns the key with each company once', async () => {
    const { data } = await user({ name: 'Ada', companyIds: [...companyIds, ...companyIds] });
    expect(checkSecret(data.secret)).toBe('user');
    expect(data.key).toMatchObject({ kind: 'user', name: 'Ada', scopes: [], companyIds });
    expect(data.key.secrets).toMatchObject([{ expiresAt: null }]);
  });

  it('refuses unknown companies, each with its pointer', async () => {
    const body = { name: 'Ada', companyIds: [companyIds[0], 424_242, 0] };
    await expect(user(body)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [
        { pointer: '#/companyIds/1', code: 'unknown_id' },
        { pointer: '#/companyIds/2', code: 'unknown_id' },
      ],
    });
  });

  it.each([
    [{ name: 'x', companyIds: [] }, '#/companyIds'],
    [{ name: 'x', companyIds: ['1'] }, '#/companyIds/0'],
    [{ companyIds: [1] }, '#/name'],
  ])('refuses %j', async (body, pointer) => {
    await expect(user(body)).rejects.toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });
});
