import { describe, expect, it } from '@jest/globals';
import { planCopies } from './copies.ts';

const company = (jobs: number) => ({ id: 1, name: 'A', jobs, keys: {} });

describe('planCopies', () => {
  const copies = planCopies({ companies: [company(5), company(1), company(3)] }, 4);

  it('gives each company its number of jobs', () => {
    expect(copies.total).toBe(9);
    const owners = Array.from({ length: 9 }, (_, offset) => copies.at(offset).company);
    expect(owners).toEqual([0, 0, 0, 0, 0, 1, 2, 2, 2]);
  });

  it('finds a copy by its company as by its offset', () => {
    expect(copies.idOf(2, 1)).toBe(copies.at(7).id);
  });

  it('uses the templates in rotation', () => {
    expect([0, 3, 4, 8].map((offset) => copies.at(offset).template)).toEqual([0, 3, 0, 0]);
  });
});
