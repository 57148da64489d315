import type { World } from '../system/world.ts';

/** Far from the ids that the service gives away here. */
const FIRST_ID = 1_000_000_000;

/** Where a copied job belongs: positions among the world's companies and among the templates. */
export interface Copy {
  readonly id: number;
  readonly company: number;
  readonly template: number;
}

export type Copies = ReturnType<typeof planCopies>;

/** Says which copy is whose: each company has a range of ids, in which the templates follow each other. */
export function planCopies({ companies }: Pick<World, 'companies'>, templates: number) {
  const ends: number[] = [];
  for (const { jobs } of companies) ends.push((ends.at(-1) ?? 0) + jobs);
  return {
    total: ends.at(-1) ?? 0,
    /** The copy with this number among all, from 0. */
    at: (offset: number): Copy => ({
      id: FIRST_ID + offset,
      company: ends.findIndex((end) => offset < end),
      template: offset % templates,
    }),
    idOf: (company: number, index: number): number => FIRST_ID + (ends[company - 1] ?? 0) + index,
  };
}
