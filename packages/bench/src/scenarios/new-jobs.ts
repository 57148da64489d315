import { postBody } from '../seed/bodies.ts';
import type { Seeded } from '../seed/seed.ts';
import { randomFrom } from '../seed/texts.ts';
import type { BenchCompany } from '../system/world.ts';

/** Bodies are made before they are sent: making them would be a cost of the load. */
const BODIES = 400;
/** System categories have the ids from 1; one of each half is taken. */
const HALF_OF_CATEGORIES = 11;

export interface NewJob {
  /** Its place in the world. */
  readonly company: number;
  readonly body: string;
}

/** Bodies of new jobs: a company with more jobs makes more of them, and the one to compare lists of stays small. */
export function makeBodies(
  { world, copies }: Pick<Seeded, 'world' | 'copies'>,
  format: 'text' | 'html',
  categories: number,
): NewJob[] {
  const random = randomFrom(categories);
  const smallest = Math.min(...world.companies.map(({ jobs }) => jobs));
  return Array.from({ length: BODIES }, () => {
    const { company: picked } = copies.at(random.below(copies.total));
    const company = world.companies[picked]?.jobs === smallest ? 0 : picked;
    const { id: companyId } = world.companies[company] as BenchCompany;
    const categoryIds = Array.from(
      { length: categories },
      (_, place) => 1 + place * HALF_OF_CATEGORIES + random.below(HALF_OF_CATEGORIES),
    );
    const options = { companyId, format, publishInDays: -1, closeInDays: 30, categoryIds };
    return { company, body: JSON.stringify(postBody(random, options)) };
  });
}
