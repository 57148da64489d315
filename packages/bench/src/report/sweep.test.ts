import { describe, expect, it } from '@jest/globals';
import type { VariantFigures } from '../measure/figures.ts';
import { full } from '../sizes.ts';
import { sizesFor } from '../sweep/sweep.ts';
import { cellRows, storageRows } from './sweep.ts';

const variant = (name: string, services: number): VariantFigures => ({
  variant: name,
  reference: undefined,
  connections: 32,
  perSecond: 1000,
  p50: 3,
  p99: 9,
  services,
  mongod: 80,
  nats: 40,
  load: 20,
  each: {},
  memory: {},
  wrong: 0,
});
const cells = [1000, 10_000].flatMap((jobs) =>
  [1, 2].map((replicas) => ({
    jobs,
    replicas,
    memory: 99.6,
    variants: [variant('GET job', 300), variant('POST', 900)],
  })),
);

describe('the report of a sweep', () => {
  it('has a row for each request of each cell', () => {
    expect(cellRows(cells)).toHaveLength(8);
    expect(cellRows(cells)[0]?.slice(0, 4)).toEqual(['1,000', '1', 'GET job', '1,000']);
  });

  it('has the disk use per job', () => {
    const storage = [{ jobs: 1000, data: 2_000_000, onDisk: 1_000_000, indexes: 500_000 }];
    expect(storageRows(storage)).toEqual([['1,000', '2.00', '1.00', '0.50', '1,500', '500']]);
  });
});

describe('sizesFor', () => {
  it.each([1000, 1_000_000])('divides %d jobs among the companies', (jobs) => {
    const { largeCompany, smallCompany, companies, templates } = sizesFor(full, jobs);
    expect(largeCompany).toBe(jobs / 2);
    expect(largeCompany + smallCompany).toBeLessThan(jobs - companies);
    expect(templates).toBeLessThanOrEqual(jobs);
  });
});
