import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteCompany, hashSecret, renameCompany, revokeKey, rotateKey } from '@joblisting/contracts';
import { createLog, type Log } from '@joblisting/service-kit';
import { client, context, newName, type Running, runAccounts } from './running-accounts.ts';

type Line = Readonly<Record<string, unknown>>;

const lines: Line[] = [];
/** Keeps the lines of handled requests. */
const log = Object.assign(Object.create(createLog('accounts', 'silent')) as Log, {
  child: (bindings: Line) => ({
    isLevelEnabled: () => true,
    info: (fields: Line) => lines.push({ ...bindings, ...fields }),
  }),
});

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runAccounts({ log });
  api = client(running.bus);
});
afterAll(() => running.stop());

const lastLine = () => lines.at(-1);

describe('the line of a refused look-up', () => {
  it.each(['unknown', 'expired', 'revoked', 'of the other kind'])(
    'says which key is %s, with its id where there is one',
    async (state) => {
      const company = await api.company();
      const consumer = await api.consumerKey();
      const { key, secret } = await api.userKey([company.id]);
      const expired = await api.userKey([company.id], { expiresAt: '2026-03-01T12:00:00Z' });
      const users = {
        unknown: { secret: 'jlu_unknown', id: undefined },
        expired: { secret: expired.secret, id: expired.key.id },
        revoked: { secret, id: key.id },
        'of the other kind': { secret: consumer.secret, id: consumer.key.id },
      };
      const user = users[state as keyof typeof users];
      await running.bus.request(revokeKey, { params: { id: key.id }, context: context() });

      const attempt = api.resolve(consumer.secret, user.secret);
      await expect(attempt).rejects.toMatchObject({ code: 'unauthenticated' });
      expect(lastLine()).toMatchObject({
        outcome: 'unauthenticated',
        consumerKey: 'valid',
        consumerKeyId: consumer.key.id,
        userKey: state,
        userKeyId: user.id,
      });
      const text = JSON.stringify(lines);
      for (const hidden of [consumer.secret, user.secret, hashSecret(user.secret)]) {
        expect(text).not.toContain(hidden);
      }
    },
  );
});

describe('the line of a change', () => {
  it('names the key or the company', async () => {
    const company = await api.company();
    expect(lastLine()).toMatchObject({ operation: 'accounts.v1.companies.create', companyId: company.id });
    const { key } = await api.userKey([company.id]);
    const companyIds = String(company.id);
    expect(lastLine()).toMatchObject({
      operation: 'accounts.v1.keys.issue-user',
      keyId: key.id,
      companyIds,
    });
    const consumer = await api.consumerKey();
    expect(lastLine()).toMatchObject({ keyId: consumer.key.id });
    const params = { id: company.id };
    await running.bus.request(renameCompany, { params, body: { name: newName() }, context: context() });
    expect(lastLine()).toMatchObject({ operation: 'accounts.v1.companies.rename', companyId: company.id });
    await running.bus.request(rotateKey, { params: { id: key.id }, body: {}, context: context() });
    expect(lastLine()).toMatchObject({ operation: 'accounts.v1.keys.rotate', keyId: key.id });
    await running.bus.request(deleteCompany, { params, context: context() });
    expect(lastLine()).toMatchObject({ companyId: company.id, revokedKeys: String(key.id) });
    await running.bus.request(revokeKey, { params: { id: key.id }, context: context() });
    expect(lastLine()).toMatchObject({ operation: 'accounts.v1.keys.revoke', keyId: key.id });
  });
});
