import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBus } from '@joblisting/bus';
import type { Bus } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import * as contracts from '@joblisting/contracts';
import { startNats } from '@joblisting/testing';
import type { TestNats } from '@joblisting/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issued, key, replies } from './support/replies.ts';
import { runCli } from './support/run-cli.ts';

let nats: TestNats;
let bus: Bus;
let requests: { subject: string; params: unknown; body: unknown }[];
let refusal: ServiceError | undefined;
/** Replaces the reply of `listKeys`. */
let listed: object[] | undefined;

/** Stands in for the owners of the operations; the end-to-end suite uses the real ones. */
beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: 'owners' });
  const endpoints = [...replies].map(([operation, reply]) => ({
    operation,
    handle: async ({ params, body }: { params: unknown; body: Uint8Array }) => {
      if (refusal !== undefined) throw refusal;
      const document = body.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(body));
      requests.push({ subject: operation.subject, params, body: document });
      const data = operation === contracts.listKeys ? (listed ?? reply) : reply;
      return { outcome: 'ok' as const, data: new TextEncoder().encode(JSON.stringify(data)) };
    },
  }));
  const options = { name: 'owners', version: '1.0.0', description: 'Owners', maxInFlight: 8 };
  await bus.serve(endpoints, { ...options, onError: () => undefined });
});
afterAll(async () => {
  await bus.close();
  await nats.stop();
});
beforeEach(() => {
  requests = [];
  refusal = undefined;
  listed = undefined;
});

function operate(line: string, ...names: string[]) {
  return runCli([...line.split(' '), ...names], { environment: { NATS_URL: nats.url } });
}

describe('operator commands', () => {
  it.each<[line: string, names: string[], subject: string, params: object, body: unknown]>([
    ['company create', ['Acme & Co'], 'accounts.v1.companies.create', {}, { name: 'Acme & Co' }],
    ['company rename 7', ['Acme Ltd'], 'accounts.v1.companies.rename', { id: 7 }, { name: 'Acme Ltd' }],
    ['company delete 7', [], 'accounts.v1.companies.delete', { id: 7 }, undefined],
    ['company list', [], 'accounts.v1.companies.list', {}, undefined],
    [
      'key issue --scopes jobs:read,jobs:write --expires 2026-01-31 --reads-per-minute 60 --consumer',
      ['Integrator'],
      'accounts.v1.keys.issue-consumer',
      {},
      {
        name: 'Integrator',
        scopes: ['jobs:read', 'jobs:write'],
        readsPerMinute: 60,
        expiresAt: '2026-01-31T00:00:00.000Z',
      },
    ],
    [
      'key issue --companies 7,12 --user',
      ['Ann'],
      'accounts.v1.keys.issue-user',
      {},
      { name: 'Ann', companyIds: [7, 12] },
    ],
    ['key rotate 5', [], 'accounts.v1.keys.rotate', { id: 5 }, {}],
    ['key rotate 5 --grace 0', [], 'accounts.v1.keys.rotate', { id: 5 }, { graceSeconds: 0 }],
    ['key revoke 5', [], 'accounts.v1.keys.revoke', { id: 5 }, undefined],
    ['key list', [], 'accounts.v1.keys.list', {}, undefined],
    ['category add-system', ['Space'], 'categories.v1.system.add', {}, { name: 'Space' }],
    ['category add-system --id 24', ['Space'], 'categories.v1.system.add', {}, { name: 'Space', id: 24 }],
    ['company retention 7 30', [], 'applications.v1.retention.set', {}, { companyId: 7, days: 30 }],
    ['company retention 7 default', [], 'applications.v1.retention.set', {}, { companyId: 7, days: null }],
    [
      'key issue --scopes applications:read,applications:write --consumer',
      ['Search site'],
      'accounts.v1.keys.issue-consumer',
      {},
      { name: 'Search site', scopes: ['applications:read', 'applications:write'] },
    ],
    ['job recount --company 7', [], 'jobs.v1.totals.recount', {}, { companyId: 7 }],
  ])('%s %j requests %s', async (line, names, subject, params, body) => {
    const { exitCode, stderr } = await operate(line, ...names);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(requests).toEqual([{ subject, params, body }]);
  });

  it('prints a new secret with a warning', async () => {
    const { stdout } = await operate('key rotate 5');
    expect(stdout).toContain('\njlc_secret\nStore this secret now');
  });

  it('prints tables, or JSON with --json', async () => {
    expect((await operate('company list')).stdout).toBe('ID  NAME\n7   Acme\n12  Trust\n');
    expect((await operate('key revoke 5')).stdout).toMatch(
      /5 +consumer +Integrator +jobs:read +60 reads +revoked 2025/u,
    );
    expect(JSON.parse((await operate('company list --json')).stdout)).toHaveLength(2);
    expect(JSON.parse((await operate('key rotate 5 --json')).stdout)).toEqual(issued);
  });

  it('names the keys that went with a company', async () => {
    const { stdout } = await operate('company delete 7');
    expect(stdout).toBe(
      'Company 7 is deleted. Revoked keys: 3, 5. Keys that lost it: 8.\n' +
        'If it is listed again in a minute, a job was created meanwhile; issue its keys anew then.\n',
    );
  });

  it('says for how long applications are kept', async () => {
    expect((await operate('company retention 7 30')).stdout).toMatch(
      /^Applications are now kept for 30 days\./u,
    );
    expect(JSON.parse((await operate('company retention 7 30 --json')).stdout)).toEqual({ days: 30 });
    expect((await operate('company retention 7 never')).stderr).toContain(
      'Give days from 1 to 3650, or default.',
    );
  });

  it('prints control characters of names and errors as escapes', async () => {
    const name = 'a\u001b[2J\u009b31mb\u007f\nforged';
    listed = [{ ...key, name }];
    const { stdout } = await operate('key list');
    expect(stdout).toContain(String.raw`a\u001b[2J\u009b31mb\u007f\u000aforged`);
    const { stdout: json } = await operate('key list --json');
    expect(json).not.toMatch(/[^\P{Cc}\n]/u);
    expect(JSON.parse(json)).toMatchObject([{ name }]);
    refusal = new ServiceError('company_name_taken', 'Taken: \u001b]0;x\u0007');
    expect((await operate('company create', 'Acme')).stderr).toBe(
      String.raw`error: Taken: \u001b]0;x\u0007` + '\n',
    );
  });

  it('prints the error of the owner', async () => {
    refusal = new ServiceError('validation_failed', 'One rule is broken.', {
      errors: [{ pointer: '#/companyIds/0', code: 'unknown_id', detail: 'No company 9.' }],
    });
    const { exitCode, stderr } = await operate('key issue --companies 9 --user', 'Ann');
    expect(exitCode).toBe(1);
    expect(stderr).toBe('error: One rule is broken.\n  #/companyIds/0 No company 9.\n');
  });

  it.each<[code: contracts.ErrorCode, message: string]>([
    [
      'unavailable',
      'error: accounts is unavailable or overloaded and did nothing. Check that it runs, then try again.\n',
    ],
    [
      'overloaded',
      'error: accounts is unavailable or overloaded and did nothing. Check that it runs, then try again.\n',
    ],
    [
      'deadline_exceeded',
      'error: accounts did not answer in time, so the outcome is unknown. Check the result before you try again.\n',
    ],
  ])('explains what to do after %s', async (code, message) => {
    refusal = new ServiceError(code);
    expect(await operate('company create', 'Acme')).toMatchObject({ exitCode: 1, stderr: message });
  });

  it('shows the expiry of each secret', async () => {
    const [secret] = key.secrets;
    const ends = ['2025-11-21T12:00:00Z', '2025-11-21T12:00:01Z', null];
    listed = [{ ...key, secrets: ends.map((expiresAt) => Object.assign({}, secret, { expiresAt })) }];
    const states = (await operate('key list')).stdout.trim().split('\n').slice(1);
    expect(states.map((line) => line.split('  ').at(-1))).toEqual([
      'expired 2025-11-21T12:00:00Z',
      'valid until 2025-11-21T12:00:01Z',
      'valid',
    ]);
  });

  it('lists the exit codes with --help', async () => {
    const { exitCode, stdout } = await operate('--help');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('Exit codes: 0') });
  });

  it.each([
    'key issue --consumer x',
    'key issue --consumer x --scopes jobs:read --user y --companies 1',
    'key issue --user y --companies 1 --writes-per-minute 5',
    'key issue --consumer x --scopes all',
    'key issue --user x --companies a',
    'key issue --user x --companies 1 --expires soon',
    'key issue --user x --companies 1 --expires 2025-11-21',
    'key rotate x',
    'company rename 7',
    'company rename x Acme',
    'company delete',
    'company delete 0',
    'company retention 7',
    'company retention 7 0',
    'company retention 7 3651',
    'company retention 7 never',
    'company retention x 30',
    'category add-system --id 0 Space',
    'company',
    'companies list',
  ])('exits with 2 for %j', async (line) => {
    expect((await operate(line)).exitCode).toBe(2);
    expect(requests).toEqual([]);
  });
});

describe('the bus', () => {
  it('defaults to the running system', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'operate-test-'));
    writeFileSync(join(dataDirectory, 'run.json'), JSON.stringify({ nats: { pid: 1, url: nats.url } }));
    const { exitCode } = await runCli(['company', 'list'], { dataDirectory });
    expect(exitCode).toBe(0);
  });

  it('accepts the operator credentials of the running system', async () => {
    const natsWithPassword = await startNats('authorization { user: "operator", password: "secret" }');
    const dataDirectory = mkdtempSync(join(tmpdir(), 'operate-test-'));
    const passwordFile = join(dataDirectory, 'password');
    const run = { nats: { pid: 1, url: natsWithPassword.url, user: 'operator', passwordFile } };
    writeFileSync(join(dataDirectory, 'run.json'), JSON.stringify(run));
    writeFileSync(passwordFile, 'secret');
    const accepted = await runCli(['company', 'list'], { dataDirectory });
    expect(accepted.stderr).toMatch(/unavailable or overloaded/u);
    const environment = { NATS_URL: natsWithPassword.url, NATS_USER: 'operator', NATS_PASSWORD: 'wrong' };
    const refused = await runCli(['company', 'list'], { environment });
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/no such user/u) });
    await natsWithPassword.stop();
  });

  it('without an address exits with 2, and with 1 if no server answers', async () => {
    expect(await runCli(['company', 'list'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/address of the bus is missing/u),
    });
    const unreachable = await runCli(['company', 'list', '--nats', 'nats://127.0.0.1:1']);
    expect(unreachable).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/cannot reach the bus/u),
    });
  });
});
