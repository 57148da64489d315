import { describe, expect, it } from '@jest/globals';
import { afterCommit, type IfMatch, refusePast, requireVersion } from './refusals.ts';

type Dated = Parameters<typeof requireVersion>[0];
const job = { version: 3 } as Dated;

describe('requireVersion', () => {
  it.each<[string, IfMatch]>([
    ['no If-Match', undefined],
    ['any version', { any: true, versions: [] }],
    ['its version', { any: false, versions: [1, 3] }],
  ])('takes %s', (_what, ifMatch) => {
    expect(() => requireVersion(job, ifMatch)).not.toThrow();
  });

  it.each<[string, IfMatch]>([
    ['another version', { any: false, versions: [2] }],
    ['no version at all', { any: false, versions: [] }],
  ])('refuses %s', (_what, ifMatch) => {
    expect(() => requireVersion(job, ifMatch)).toThrow(expect.objectContaining({ code: 'version_mismatch' }));
  });
});

describe('refusePast', () => {
  it('lets through only what is in time', () => {
    expect(() => refusePast(Date.now() + 60_000)).not.toThrow();
    expect(() => refusePast(Infinity)).not.toThrow();
    expect(() => refusePast(Date.now())).toThrow(expect.objectContaining({ code: 'deadline_exceeded' }));
  });
});

describe('afterCommit', () => {
  const away = Object.assign(new Error('no primary'), { name: 'MongoServerSelectionError' });

  it('never reports a database failure as "not executed"', async () => {
    await expect(afterCommit(Promise.reject(away))).rejects.toMatchObject({
      code: 'deadline_exceeded',
      cause: away,
    });
  });

  it('passes on what it resolves to, and any other error', async () => {
    await expect(afterCommit(Promise.resolve(1))).resolves.toBe(1);
    await expect(afterCommit(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
