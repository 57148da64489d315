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
  it('uses the first company of the demo', () => {
    expect(resolveTarget({}, {}, demo)).toEqual({
      companyId: 1,
      target: { baseUrl: 'http://127.0.0.1:8080', consumerKey: 'demo-consumer', userKey: 'demo-1' },
    });
  });

  it('uses the key of the given company', () => {
    expect(resolveTarget({ company: 2 }, {}, demo)).toMatchObject({
      companyId: 2,
      target: { userKey: 'demo-2' },
    });
  });

  it('prefers flags to the environment, and the environment to the demo', () => {
    const environment = {
      JOBS_BASE_URL: 'https://e.example/v1.0',
      JOBS_CONSUMER_KEY: 'c',
      JOBS_USER_KEY: 'u',
    };
    const flags = { userKey: 'flag', baseUrl: 'https://f.example/v1.0/' };
    expect(resolveTarget({ ...flags, company: 9 }, environment, demo)).toEqual({
      companyId: 9,
      target: { baseUrl: 'https://f.example', consumerKey: 'c', userKey: 'flag' },
    });
  });

  it('uses nothing of the demo for another address', () => {
    const elsewhere = { baseUrl: 'https://jobs.example/v1.0' };
    expect(() => resolveTarget(elsewhere, {}, demo)).toThrow('--company');
    expect(() => resolveTarget({ ...elsewhere, company: 1 }, {}, demo)).toThrow('--consumer-key');
    const consumerKey = 'c';
    expect(() => resolveTarget({ ...elsewhere, company: 1, consumerKey }, {}, demo)).toThrow('--user-key');
  });

  it.each(['http://127.0.0.1:8080', 'http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1.0/'])(
    'knows the address of the demo in %s',
    (baseUrl) => expect(resolveTarget({ baseUrl }, {}, demo)).toEqual(resolveTarget({}, {}, demo)),
  );

  it('says how to get a missing key', () => {
    const elsewhere = { baseUrl: 'https://jobs.example', company: 5 };
    expect(() => resolveTarget({ ...elsewhere, consumerKey: 'c' }, {}, demo)).toThrow(
      'No user key for company 5. Use --user-key, or create one: key issue --user NAME --companies 5.',
    );
    expect(() => resolveTarget(elsewhere, {}, demo)).toThrow('key issue --consumer NAME --scopes');
  });

  it.each<[flags: object, demo: unknown, message: string]>([
    [{}, undefined, '--company'],
    [{ company: 1 }, undefined, '--base-url'],
    [{ company: 7 }, demo, 'No user key for company 7'],
    [{ baseUrl: 'ftp://x' }, demo, 'http://HOST or https://HOST'],
    [{ baseUrl: 'jobs' }, demo, 'http://HOST or https://HOST'],
  ])('names the missing or invalid value for %j', (flags, file, message) => {
    expect(() => resolveTarget(flags, {}, file)).toThrow(message);
  });
});

describe('readDataFile', () => {
  it('reads JSON, and throws for broken JSON', () => {
    const directory = mkdtempSync(join(tmpdir(), 'settings-test-'));
    writeFileSync(join(directory, 'demo.json'), JSON.stringify(demo));
    writeFileSync(join(directory, 'run.json'), '{');
    expect(readDataFile(directory, 'demo.json')).toEqual(demo);
    expect(readDataFile(directory, 'none.json')).toBeUndefined();
    expect(() => readDataFile(directory, 'run.json')).toThrow(
      `Cannot read ${join(directory, 'run.json')}: it is not valid JSON. Delete it and run npm start`,
    );
  });
});
