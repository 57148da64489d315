import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  companyChanged,
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
import { deletionStore } from '../src/store/deletion-store.ts';
import { keyStore } from '../src/store/key-store.ts';
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
  [running.owners.removeCategories, running.owners.removeHooks].every(({ requests }) =>
    requests.some(({ body }) => body.companyId === companyId),
  );
const create = (name: string) => running.bus.request(createCompany, { body: { name }, context: context() });

describe('deleteCompany › deleted', () => {
  it('is found no more by any operation', async () => {
    const { id } = await api.company();
    expect(await remove(id)).toMatchObject({
      outcome: 'deleted',
      data: { id, revokedKeyIds: [], narrowedKeyIds: [] },
    });
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

    expect((await remove(company.id)).data).toEqual({
      id: company.id,
      revokedKeyIds: [own.key.id],
      narrowedKeyIds: [shared.key.id],
    });
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
    const [{ id }, other] = [await api.company(), await api.company()];
    const { key } = await api.userKey([id]);
    const shared = await api.userKey([id, other.id]);
    const first = await remove(id);
    expect((await remove(id)).data).toEqual(first.data);
    expect(first.data).toMatchObject({ revokedKeyIds: [key.id], narrowedKeyIds: [shared.key.id] });
    // The owner of applications does not know the company any more.
    const resets = running.owners.retention.requests.filter(({ body }) => body.companyId === id);
    expect(resets).toHaveLength(1);
  });

  it('removes categories and webhooks and frees the name once requests under way are over', async () => {
    const { id, name } = await api.company();
    await remove(id);
    await expect(create(name)).rejects.toMatchObject({ code: 'company_name_taken' });
    expect(isCleared(id)).toBe(false);
    running.clock.advance(FINISH_AFTER_MS);
    await waitFor(() => isCleared(id), { what: 'the removals' });
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

  it('takes the keys and tells listeners even if the process ends once the deletion has begun', async () => {
    const changed: number[] = [];
    running.bus.listen(companyChanged, ({ companyId }) => changed.push(companyId));
    await running.bus.flush();
    const [company, other] = [await api.company(), await api.company()];
    const consumer = await api.consumerKey();
    const own = await api.userKey([company.id]);
    const shared = await api.userKey([company.id, other.id]);

    const deletions = deletionStore(running.mongo, keyStore(running.mongo));
    await deletions.begin(company.id, running.clock.now(), context().deadline);
    await expect(api.resolve(consumer.secret, own.secret)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect((await api.resolve(consumer.secret, shared.secret)).principal.companyIds).toEqual([other.id]);

    expect(changed).toEqual([]);
    running.clock.advance(FINISH_AFTER_MS);
    await waitFor(() => isCleared(company.id), { what: 'the removal of categories' });
    await waitFor(() => changed.includes(company.id), { what: 'the event' });
  });

  it('finishes other deletions while an owner refuses one', async () => {
    const [first, second] = [await api.company(), await api.company()];
    running.owners.refused.add(first.id);
    await remove(first.id);
    running.clock.advance(1);
    await remove(second.id);
    running.clock.advance(FINISH_AFTER_MS);
    await waitFor(() => create(second.name).catch(() => false), { what: 'the name of the second' });
    await expect(create(first.name)).rejects.toMatchObject({ code: 'company_name_taken' });
    running.owners.refused.clear();
    await waitFor(() => create(first.name).catch(() => false), { what: 'the name of the first' });
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

  it('brings the company back if a job came while it was deleted', async () => {
    const { id } = await api.company();
    const consumer = await api.consumerKey();
    const { secret } = await api.userKey([id]);
    await remove(id);
    running.owners.jobs.set(id, 1);
    running.clock.advance(FINISH_AFTER_MS);
    await waitFor(() => isListed(id), { what: 'the company' });
    expect(isCleared(id)).toBe(false);
    await expect(api.resolve(consumer.secret, secret)).rejects.toMatchObject({ code: 'unauthenticated' });
    const issued = await api.userKey([id]);
    expect((await api.resolve(consumer.secret, issued.secret)).principal.companyIds).toEqual([id]);
  });
});

describe('deleteCompany › company_not_found', () => {
  it('for a company that never was', async () => {
    await expect(remove(424_242)).rejects.toMatchObject({ code: 'company_not_found' });
  });
});
