import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { assign, newNames, referencesOf, refusalOf } from './acquisition.ts';
import { catalogueOf } from './catalogue.ts';

const category = (id: number, name: string, companyId: number | null) => ({
  id,
  name,
  companyId,
  version: id % 10,
  references: 0,
  renamedAt: undefined,
});
const catalogue = catalogueOf([
  category(1, 'Legal', null),
  category(1001, 'Game Design', 7),
  category(1002, 'Game Design', 8),
]);
const acquisition = (
  categories: { id?: number; name?: string }[],
  companyId = 7,
  jobId = 1,
  version = 1,
) => ({
  companyId,
  jobId,
  version,
  categories,
});

describe('refusalOf', () => {
  it.each([
    ['a system category', [{ id: 1 }], []],
    ["the company's own", [{ id: 1001 }], []],
    ['any name', [{ name: 'New' }, { name: 'legal' }], []],
    ["another company's", [{ id: 1 }, { id: 1002 }], ['#/categories/1/id']],
    ['unknown ones', [{ id: 5 }, { id: -1 }], ['#/categories/0/id', '#/categories/1/id']],
    ['an unknown id beside a known name', [{ id: 5, name: 'Legal' }], ['#/categories/0/id']],
    ['neither id nor name', [{}], ['#/categories/0']],
  ])('%s', (_what, wanted, pointers) => {
    const errors = refusalOf(acquisition(wanted), catalogue)?.errors ?? [];
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });
});

describe('newNames', () => {
  it('are folded, once for each company, and none that an id stands beside', () => {
    const wanted = [
      { name: ' Level  Design' },
      { name: 'LEVEL DESIGN' },
      { name: 'game design' },
      { id: 1, name: 'x' },
    ];
    const names = newNames([acquisition(wanted), acquisition([{ name: 'level design' }], 8)], catalogue);
    expect(names).toEqual([
      { companyId: 7, name: 'Level Design' },
      { companyId: 8, name: 'level design' },
    ]);
  });
});

describe('assign', () => {
  it('answers each entry in order; what was made is created for the first one only', () => {
    const wanted = [{ name: 'GAME design' }, { id: 1, name: 'ignored' }, { id: 1001 }];
    expect(assign(acquisition(wanted), catalogue, new Set([1001]))).toEqual([
      { id: 1001, name: 'Game Design', version: 1, created: true },
      { id: 1, name: 'Legal', version: 1, created: false },
      { id: 1001, name: 'Game Design', version: 1, created: false },
    ]);
  });
});

describe('referencesOf', () => {
  it('counts each job and category once, at the highest version, and none of a refusal', () => {
    const assigned = (id: number) => ({ id, name: '', version: 1, created: false });
    const acquisitions = [
      acquisition([], 7, 1, 2),
      acquisition([], 7, 1, 3),
      acquisition([], 7, 2, 9),
      acquisition([], 7, 3, 1),
    ];
    const results = [
      [assigned(10), assigned(10), assigned(11)],
      [assigned(10)],
      new ServiceError('validation_failed'),
      [assigned(10)],
    ];
    expect(referencesOf(acquisitions, results, 5)).toEqual([
      { jobId: 1, categoryId: 10, version: 3, acquiredAt: 5 },
      { jobId: 1, categoryId: 11, version: 2, acquiredAt: 5 },
      { jobId: 3, categoryId: 10, version: 1, acquiredAt: 5 },
    ]);
  });
});
