import type { World } from '../system/world.ts';

/** Above all ids that the service assigns in a run. */
const FIRST_ID = 1_000_000_000;

/** A copied job, with the indexes of its company and template. */
export interface Copy {
  readonly id: number;
  readonly company: number;
  readonly template: number;
}

export type Copies = ReturnType<typeof planCopies>;

/** Assigns copies to companies: each has a range of ids, with the templates in rotation. */
export function planCopies({ companies }: Pick<World, 'companies'>, templates: number) {
  const ends: number[] = [];
  for (const { jobs } of companies) ends.push((ends.at(-1) ?? 0) + jobs);
  return {
    total: ends.at(-1) ?? 0,
    at: (offset: number): Copy => ({
      id: FIRST_ID + offset,
      company: ends.findIndex((end) => offset < end),
      template: offset % templates,
    }),
    idOf: (company: number, index: number): number => FIRST_ID + (ends[company - 1] ?? 0) + index,
  };
}
