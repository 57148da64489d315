import { describe, expect, it } from '@jest/globals';
import type { ArmFigures } from '../measure/figures.ts';
import { full } from '../sizes.ts';
import { cellRows, storageRows, sweepCharts } from './report.ts';
import { sizesFor } from './sweep.ts';

const arm = (name: string, services: number): ArmFigures => ({
  arm: name,
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
  [1, 2].map((replicas) => ({ jobs, replicas, memory: 99.6, arms: [arm('GET job', 300), arm('POST', 900)] })),
);

describe('the report of a sweep', () => {
  it('has a row for each request of each cell', () => {
    expect(cellRows(cells)).toHaveLength(8);
    expect(cellRows(cells)[0]?.slice(0, 4)).toEqual(['1,000', '1', 'GET job', '1,000']);
  });

  it('tells what a job takes', () => {
    const storage = [{ jobs: 1000, data: 2_000_000, onDisk: 1_000_000, indexes: 500_000 }];
    expect(storageRows(storage)).toEqual([['1,000', '2.00', '1.00', '0.50', '1,500', '500']]);
  });

  it('draws a line for each request, and for rates each number of replicas', () => {
    const charts = sweepCharts({ cells, storage: [] });
    const lines = Object.fromEntries(
      Object.entries(charts).map(([file, svg]) => [file, svg.split('<polyline').length - 1]),
    );
    expect(lines).toEqual({ 'sweep-services.svg': 2, 'sweep-mongod.svg': 2, 'sweep-rate.svg': 4 });
  });
});

describe('sizesFor', () => {
  it.each([1000, 1_000_000])('shares %d jobs out', (jobs) => {
    const { largeCompany, smallCompany, companies, templates } = sizesFor(full, jobs);
    expect(largeCompany).toBe(jobs / 2);
    expect(largeCompany + smallCompany).toBeLessThan(jobs - companies);
    expect(templates).toBeLessThanOrEqual(jobs);
  });
});
