import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyChanged, deadlineExceeded, getCompany, renameCompany } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { client, context, newName, type Running, runAccounts } from './running-accounts.ts';

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runAccounts();
  api = client(running.bus);
});
afterAll(() => running.stop());

const rename = (id: number, name: unknown) =>
  running.bus.request(renameCompany, { params: { id }, body: { name }, context: context() });
const pushed = (companyId: number) =>
  running.owners.rename.requests
    .filter(({ body }) => body.companyId === companyId)
    .map(({ body }) => body.name);

describe('renameCompany › renamed', () => {
  it('stores the name, tells listeners and sends it to jobs', async () => {
    const changed: number[] = [];
    running.bus.listen(companyChanged, ({ companyId }) => changed.push(companyId));
    await running.bus.flush();
    const { id } = await api.company();
    const name = newName();
    expect((await rename(id, `  ${name} `)).data).toEqual({ id, name });
    const { data } = await running.bus.request(getCompany, { params: { id }, context: context() });
    expect(data.name).toBe(name);
    await waitFor(() => pushed(id).length > 0, { what: 'the name at jobs' });
    expect(pushed(id)).toEqual([name]);
    await waitFor(() => changed.includes(id), { what: 'the event' });
  });

  it('sends the name again while jobs may be created under the old one, and no more', async () => {
    const { id } = await api.company();
    await rename(id, newName());
    await waitFor(() => pushed(id).length === 1, { what: 'the first push' });
    running.clock.advance(90_000);
    await waitFor(() => pushed(id).length === 2, { what: 'the second push' });
    const stored = running.mongo.collection<{ _id: number; renaming?: object }>('companies');
    await waitFor(async () => (await stored.findOne({ _id: id }))?.renaming === undefined, {
      what: 'the end of the rename',
    });
  });

  it('sends the name until jobs takes it', async () => {
    running.owners.rename.fault = deadlineExceeded();
    const { id } = await api.company();
    await rename(id, newName());
    await waitFor(() => pushed(id).length === 2, { what: 'a second attempt' });
    running.owners.rename.fault = undefined;
    await waitFor(() => pushed(id).length === 3, { what: 'the attempt that succeeds' });
  });

  it('sends the names of other companies while jobs refuses one', async () => {
    const [first, second] = [await api.company(), await api.company()];
    running.owners.refused.add(first.id);
    await rename(first.id, newName());
    await rename(second.id, newName());
    await waitFor(() => pushed(second.id).length === 1, { what: 'the name of the second' });
    running.owners.refused.clear();
    const before = pushed(first.id).length;
    await waitFor(() => pushed(first.id).length > before, { what: 'the name of the first' });
  });

  it('changes the case of a name', async () => {
    const { id, name } = await api.company();
    expect((await rename(id, name.toUpperCase())).data.name).toBe(name.toUpperCase());
  });
});

describe('renameCompany › refused', () => {
  it('with company_name_taken, and names the company that has the name', async () => {
    const [{ id }, other] = [await api.company(), await api.company()];
    await expect(rename(id, other.name.toUpperCase())).rejects.toMatchObject({
      code: 'company_name_taken',
      message: `Company ${other.id} already has this name.`,
    });
  });

  it('with company_not_found', async () => {
    await expect(rename(424_242, newName())).rejects.toMatchObject({ code: 'company_not_found' });
  });

  it.each([undefined, '', ' ', 'x'.repeat(257), 1])('with validation_failed for %j', async (name) => {
    const { id } = await api.company();
    await expect(rename(id, name)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/name' }],
    });
  });
});
