import type { World } from '../system/world.ts';

/** The ids of copies begin where the service does not come to give ids away here. */
const FIRST_ID = 1_000_000_000;

/** Where a job of all that are copied belongs. */
export interface Copy {
  readonly id: number;
  /** Of the world's companies. */
  readonly company: number;
  /** Of the templates. */
  readonly template: number;
}

export type Copies = ReturnType<typeof planCopies>;

/** Says which copy is whose: each company has a range of ids, in which the templates follow each other. */
export function planCopies({ companies }: Pick<World, 'companies'>, templates: number) {
  const starts: number[] = [];
  let total = 0;
  for (const { jobs } of companies) {
    starts.push(total);
    total += jobs;
  }
  const idOf = (company: number, index: number): number => FIRST_ID + (starts[company] ?? 0) + index;
  const companyOf = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    total,
    /** The copy with this number among all, from 0. */
    at: (offset: number): Copy => ({
      id: FIRST_ID + offset,
      company: companyOf(offset),
      template: offset % templates,
    }),
    idOf,
  };
}
