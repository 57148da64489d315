import { describe, expect, it } from '@jest/globals';
import { ownerOf } from './row.ts';
import { ownerOfPath, table } from './table.ts';

describe('ownerOfPath', () => {
  it.each(table.map((row) => [row.path, ownerOf(row)] as const))('of %s is %s', (path, owner) => {
    expect(ownerOfPath(`/v1.0${path.replaceAll(/\{[^}]+\}/g, '12')}`)).toBe(owner);
  });

  it.each([
    ['/v1.0/jobs/12/applications', 'applications'],
    ['/v1.0/jobs/applications', 'jobs'],
    ['/v1.0/applications/12/files/3', 'applications'],
    ['/v1.0/jobs/12/', 'jobs'],
    ['/v1.0/jobs/12/nothing', undefined],
    ['/v1.0/jobtypes', 'jobs'],
    ['/v1.0/', undefined],
    ['/v1.0', undefined],
    ['/jobs', undefined],
    ['/v1.0/__proto__', undefined],
  ])('of %s is %s', (path, owner) => {
    expect(ownerOfPath(path)).toBe(owner);
  });
});
