import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { assign, newNames, requireKnown } from './acquisition.ts';

const category = (id: number, name: string, companyId: number | null) => ({
  id,
  name,
  companyId,
  version: id % 10,
  renamedAt: undefined,
});
const gameDesign = category(1001, 'Game Design', 7);
const known = [category(1, 'Legal', null), gameDesign];
const acquisition = (categories: { id?: number; name?: string }[]) => ({
  companyId: 7,
  jobId: 1,
  version: 1,
  categories,
});

describe('requireKnown', () => {
  it.each([
    ['a system category', [{ id: 1 }], []],
    ["the company's own", [{ id: 1001 }], []],
    ['any name', [{ name: 'New' }, { name: 'legal' }], []],
    ['unknown ids', [{ id: 1 }, { id: 5 }, { id: -1 }], ['#/categories/1/id', '#/categories/2/id']],
    ['an unknown id beside a known name', [{ id: 5, name: 'Legal' }], ['#/categories/0/id']],
    ['neither id nor name', [{}], ['#/categories/0']],
  ])('judges %s', (_what, wanted, pointers) => {
    const found: unknown[] = [];
    try {
      requireKnown(acquisition(wanted), known);
    } catch (error) {
      found.push(...(error as ServiceError).errors.map(({ pointer }) => pointer));
    }
    expect(found).toEqual(pointers);
  });
});

describe('newNames', () => {
  it('lists each new name once, folded, and none beside an id', () => {
    const wanted = [
      { name: ' Level  Design' },
      { name: 'LEVEL DESIGN' },
      { name: 'game design' },
      { id: 1, name: 'x' },
    ];
    expect(newNames(acquisition(wanted), known)).toEqual(['Level Design']);
  });
});

describe('assign', () => {
  it('resolves each entry in order; a new category is created for its first entry only', () => {
    const wanted = [{ name: 'GAME design' }, { id: 1, name: 'ignored' }, { id: 1001 }];
    expect(assign(acquisition(wanted), known, [gameDesign])).toEqual([
      { id: 1001, name: 'Game Design', version: 1, created: true },
      { id: 1, name: 'Legal', version: 1, created: false },
      { id: 1001, name: 'Game Design', version: 1, created: false },
    ]);
  });

  it('prefers the system category of a name', () => {
    const both = [...known, category(1002, 'Legal', 7)];
    expect(assign(acquisition([{ name: 'LEGAL' }]), both, [])).toMatchObject([{ id: 1 }]);
  });
});
