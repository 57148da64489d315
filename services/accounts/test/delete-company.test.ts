import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCompany,
  deleteCompany,
  getCompany,
  issueUserKey,
  keyRevoked,
  listCompanies,
  listKeys,
  renameCompany,
} from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { client, context, type Running, runAccounts } from './running-accounts.ts';

/** The background finishes a deletion after it. */
const FINISH_AFTER_MS = 15_000;

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runAccounts();
  api = client(running.bus);
});
afterAll(() => running.stop());

const remove = (id: number) => running.bus.request(deleteCompany, { params: { id }, context: context() });
const isListed = async (id: number) => {
  const { data } = await running.bus.request(listCompanies, { context: context() });
  return data.some((company) => company.id === id);
};
const isCleared = (companyId: number) =>
  running.owners.removeCategories.requests.some(({ body }) => body.companyId === companyId);
const create = (name: string) => running.bus.request(createCompany, { body: { name }, context: context() });

describe('deleteCompany › deleted', () => {
  it('is found no more by any operation', async () => {
    const { id } = await api.company();
    expect(await remove(id)).toMatchObject({ outcome: 'deleted', data: { id, revokedKeyIds: [] } });
    expect(await isListed(id)).toBe(false);
    const notFound = { code: 'company_not_found' };
    const call = { params: { id }, context: context() };
    await expect(running.bus.request(getCompany, call)).rejects.toMatchObject(notFound);
    await expect(
      running.bus.request(renameCompany, { ...call, body: { name: 'Back' } }),
    ).rejects.toMatchObject(notFound);
    await expect(
      running.bus.request(issueUserKey, { body: { name: 'Ann', companyIds: [id] }, context: context() }),
    ).rejects.toMatchObject({ code: 'validation_failed', errors: [{ pointer: '#/companyIds/0' }] });
  });

  it('revokes keys of this company only, takes it from others, and tells the gateways', async () => {
    const told: number[] = [];
    running.bus.listen(keyRevoked, ({ keyId }) => told.push(keyId));
    await running.bus.flush();
    const [company, other] = [await api.company(), await api.company()];
    const consumer = await api.consumerKey();
    const own = await api.userKey([company.id]);
    const shared = await api.userKey([company.id, other.id]);
    const foreign = await api.userKey([other.id]);

    expect((await remove(company.id)).data.revokedKeyIds).toEqual([own.key.id]);
    await expect(api.resolve(consumer.secret, own.secret)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    for (const key of [shared, foreign]) {
      const { principal } = await api.resolve(consumer.secret, key.secret);
      expect(principal.companyIds).toEqual([other.id]);
    }
    await waitFor(() => told.length === 2, { what: 'both events' });
    expect(told).toEqual([own.key.id, shared.key.id]);
    const { data: keys } = await running.bus.request(listKeys, { context: context() });
    expect(keys.find(({ id }) => id === own.key.id)?.revokedAt).not.toBeNull();
  });

  it('resets how long its applications are kept', async () => {
    const { id } = await api.company();
    await remove(id);
    expect(running.owners.retention.requests.map(({ body }) => body)).toContainEqual({
      companyId: id,
      days: null,
    });
  });

  it('replies the same to a repetition', async () => {
    const { id } = await api.company();
    const { key } = await api.userKey([id]);
    const first = await remove(id);
    expect((await remove(id)).data).toEqual(first.data);
    expect(first.data.revokedKeyIds).toEqual([key.id]);
    // The owner of applications does not know the company any more.
    const resets = running.owners.retention.requests.filter(({ body }) => body.companyId === id);
    expect(resets).toHaveLength(1);
  });

  it('removes the categories and frees the name once requests under way are over', async () => {
    const { id, name } = await api.company();
    await remove(id);
    await expect(create(name)).rejects.toMatchObject({ code: 'company_name_taken' });
    expect(isCleared(id)).toBe(false);
    running.clock.advance(FINISH_AFTER_MS);
    await waitFor(() => isCleared(id), { what: 'the removal of categories' });
    await waitFor(
      () =>
        create(name).then(
          () => true,
          () => false,
        ),
      { what: 'the free name' },
    );
    expect((await remove(id)).data.id).toBe(id);
  });
});

describe('deleteCompany › company_not_empty', () => {
  it('says what is in the way, and changes nothing', async () => {
    const { id } = await api.company();
    const consumer = await api.consumerKey();
    const { secret } = await api.userKey([id]);
    running.owners.jobs.set(id, 1);
    running.owners.applications.set(id, 12);
    await expect(remove(id)).rejects.toMatchObject({
      code: 'company_not_empty',
      message: `Company ${id} has 1 job and 12 applications. Delete them first.`,
    });
    running.owners.jobs.set(id, 0);
    await expect(remove(id)).rejects.toMatchObject({
      message: `Company ${id} has 12 applications. Delete them first.`,
    });
    expect(await isListed(id)).toBe(true);
    expect((await api.resolve(consumer.secret, secret)).principal.companyIds).toEqual([id]);
  });

  it('brings the company back where a job came while it was deleted', async () => {
    const { id } = await api.company();
    await remove(id);
    running.owners.jobs.set(id, 1);
    running.clock.advance(FINISH_AFTER_MS);
    await waitFor(() => isListed(id), { what: 'the company' });
    expect(isCleared(id)).toBe(false);
  });
});

describe('deleteCompany › company_not_found', () => {
  it('for a company that never was', async () => {
    await expect(remove(424_242)).rejects.toMatchObject({ code: 'company_not_found' });
  });
});
