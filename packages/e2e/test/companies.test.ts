import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { createClient, jobBody, runCli, sharedSystem, useWorld } from '../src/index.ts';

const world = useWorld();

const company = (...args: string[]) =>
  runCli(tmpdir(), ['company', ...args, '--nats', sharedSystem().natsUrl]);

describe('company rename', () => {
  it('shows on jobs that were there and on new ones', async () => {
    const { api, companyId } = world;
    const { data: job } = (await api.post('/jobs', jobBody(companyId))).json;
    const name = `Renamed ${companyId} & Co`;
    expect(await company('rename', String(companyId), name)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(name),
    });
    await waitFor(async () => (await api.get(`/jobs/${job.id}`)).json.data.company.name === name, {
      what: 'the new name on the job',
    });
    const { json } = await api.post('/jobs', jobBody(companyId));
    expect(json.data.company.name).toBe(name);
  });
});

describe('company delete', () => {
  it('is refused while the company has jobs, says so, and revokes its keys afterwards', async () => {
    const { id } = await world.operator.company();
    const { secret: user, key } = await world.operator.userKey([id]);
    const api = createClient(world.origin, { consumer: world.consumerKey, user });
    const { data: job } = (await api.post('/jobs', jobBody(id))).json;
    expect(await company('delete', String(id))).toMatchObject({
      code: 1,
      stderr: `error: Company ${id} has 1 job. Delete them first.\n`,
    });
    await api.delete(`/jobs/${job.id}`);
    const deleted = { code: 0, stdout: expect.stringContaining(`Revoked keys: ${key.id}.`) };
    expect(await company('delete', String(id))).toMatchObject(deleted);
    expect(await company('delete', String(id))).toMatchObject(deleted);
    await waitFor(async () => (await api.get(`/jobs?company.id=${id}`)).status === 401, {
      what: 'the refusal of its key',
    });
    expect((await company('list')).stdout).not.toMatch(new RegExp(`^${id} `, 'm'));
  });
});

describe('company retention', () => {
  it('is refused for an unknown company', async () => {
    expect(await company('retention', '2000000000', '30')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: There is no company 2000000000.\n',
    });
  });
});
