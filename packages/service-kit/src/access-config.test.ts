import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { accessProblems } from './access-config.ts';

const directory = mkdtempSync(join(tmpdir(), 'access-config-'));
afterAll(() => rmSync(directory, { recursive: true }));
const fileWith = (name: string, content: string): string => {
  writeFileSync(join(directory, name), content);
  return join(directory, name);
};
const file = fileWith('secret', 'hunter2\n');
const empty = fileWith('empty', ' \n');
const missing = join(directory, 'missing');

describe('accessProblems', () => {
  it.each([
    [{}],
    [{ NATS_USER: 'jobs' }],
    [{ NATS_USER: 'jobs', NATS_PASSWORD: 'hunter2' }],
    [{ NATS_USER: 'jobs', NATS_PASSWORD_FILE: file }],
    [{ NATS_NKEY_SEED_FILE: file, NATS_TLS_CA_FILE: file }],
    [{ NATS_TLS_CERT_FILE: file, NATS_TLS_KEY_FILE: file }],
    [{ MONGODB_USER: 'jobs', MONGODB_PASSWORD_FILE: file, MONGODB_TLS_CA_FILE: file }],
  ])('finds nothing wrong with what belongs together, %#', (settings) => {
    expect(accessProblems(settings)).toEqual([]);
  });

  it.each([
    [{ NATS_PASSWORD: 'hunter2' }, ['NATS_USER is required with NATS_PASSWORD']],
    [{ NATS_PASSWORD_FILE: file }, ['NATS_USER is required with NATS_PASSWORD_FILE']],
    [{ NATS_TLS_CERT_FILE: file }, ['NATS_TLS_KEY_FILE is required with NATS_TLS_CERT_FILE']],
    [{ NATS_TLS_KEY_FILE: file }, ['NATS_TLS_CERT_FILE is required with NATS_TLS_KEY_FILE']],
    [{ MONGODB_USER: 'jobs' }, ['MONGODB_PASSWORD_FILE is required with MONGODB_USER']],
    [{ MONGODB_PASSWORD_FILE: file }, ['MONGODB_USER is required with MONGODB_PASSWORD_FILE']],
    [
      { NATS_USER: 'jobs', NATS_PASSWORD: 'hunter2', NATS_PASSWORD_FILE: file },
      ['NATS_PASSWORD_FILE and NATS_PASSWORD must not both be set'],
    ],
    [
      { NATS_USER: 'jobs', NATS_PASSWORD_FILE: file, NATS_NKEY_SEED_FILE: file },
      ['NATS_NKEY_SEED_FILE and NATS_PASSWORD_FILE must not both be set'],
    ],
    [{ NATS_TLS_CA_FILE: missing }, ['NATS_TLS_CA_FILE names a file that cannot be read: ENOENT']],
    [{ NATS_NKEY_SEED_FILE: directory }, ['NATS_NKEY_SEED_FILE names a file that cannot be read: EISDIR']],
    [{ MONGODB_TLS_CA_FILE: empty }, ['MONGODB_TLS_CA_FILE names an empty file']],
  ])('finds what is wrong, %#', (settings, problems) => {
    expect(accessProblems(settings)).toEqual(problems);
    expect(accessProblems(settings).join()).not.toContain('hunter2');
  });
});
