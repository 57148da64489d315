import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readDataFile, resolveTarget } from './settings.ts';

const demo = {
  baseUrl: 'http://127.0.0.1:8080/v1.0',
  consumerKey: 'demo-consumer',
  companies: [
    { id: 1, name: 'One', userKey: 'demo-1' },
    { id: 2, name: 'Two', userKey: 'demo-2' },
  ],
};

describe('resolveTarget', () => {
  it('takes the first company of the demo', () => {
    expect(resolveTarget({}, {}, demo)).toEqual({
      companyId: 1,
      target: { baseUrl: demo.baseUrl, consumerKey: 'demo-consumer', userKey: 'demo-1' },
    });
  });

  it('takes the key of the company asked for', () => {
    expect(resolveTarget({ company: 2 }, {}, demo)).toMatchObject({
      companyId: 2,
      target: { userKey: 'demo-2' },
    });
  });

  it('prefers the environment, and flags to that', () => {
    const environment = {
      JOBS_BASE_URL: 'https://e.example/v1.0',
      JOBS_CONSUMER_KEY: 'c',
      JOBS_USER_KEY: 'u',
    };
    const flags = { userKey: 'flag', baseUrl: 'https://f.example/v1.0/' };
    expect(resolveTarget({ ...flags, company: 9 }, environment, demo)).toEqual({
      companyId: 9,
      target: { baseUrl: 'https://f.example/v1.0', consumerKey: 'c', userKey: 'flag' },
    });
  });

  it('takes nothing of the demo to another address', () => {
    const elsewhere = { baseUrl: 'https://jobs.example/v1.0' };
    expect(() => resolveTarget(elsewhere, {}, demo)).toThrow('--company');
    expect(() => resolveTarget({ ...elsewhere, company: 1 }, {}, demo)).toThrow('--consumer-key');
    const consumerKey = 'c';
    expect(() => resolveTarget({ ...elsewhere, company: 1, consumerKey }, {}, demo)).toThrow('--user-key');
    expect(resolveTarget({ baseUrl: `${demo.baseUrl}/` }, {}, demo)).toEqual(resolveTarget({}, {}, demo));
  });

  it.each<[flags: object, demo: unknown, message: string]>([
    [{}, undefined, '--company'],
    [{ company: 1 }, undefined, '--base-url'],
    [{ company: 7 }, demo, '--user-key for company 7'],
    [{ baseUrl: 'ftp://x' }, demo, 'http or https'],
    [{ baseUrl: 'jobs' }, demo, 'http or https'],
  ])('says what is missing with %j', (flags, file, message) => {
    expect(() => resolveTarget(flags, {}, file)).toThrow(message);
  });
});

describe('readDataFile', () => {
  it('reads what is there, and says what is wrong with it', () => {
    const directory = mkdtempSync(join(tmpdir(), 'settings-test-'));
    writeFileSync(join(directory, 'demo.json'), JSON.stringify(demo));
    writeFileSync(join(directory, 'run.json'), '{');
    expect(readDataFile(directory, 'demo.json')).toEqual(demo);
    expect(readDataFile(directory, 'none.json')).toBeUndefined();
    expect(() => readDataFile(directory, 'run.json')).toThrow('cannot be read');
  });
});
