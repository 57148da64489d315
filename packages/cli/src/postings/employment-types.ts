import { listOf } from '../values.ts';

const JOB_TYPES: Readonly<Record<string, number>> = {
  FULL_TIME: 1,
  PART_TIME: 2,
  CONTRACTOR: 3,
  CONTRACT: 3,
  TEMPORARY: 4,
  INTERN: 5,
  INTERNSHIP: 5,
  VOLUNTEER: 6,
  PER_DIEM: 7,
  OTHER: 8,
};

/** Maps a schema.org `employmentType` (a text, a comma-separated text or a list) to the API's job types. */
export function jobTypes(employmentType: unknown): {
  types: { id: number }[];
  unmatched: string[];
} {
  const ids = new Set<number>();
  const unmatched: string[] = [];
  for (const element of listOf(employmentType)) {
    for (const written of typeof element === 'string' ? element.split(',') : [JSON.stringify(element)]) {
      const name = written.trim();
      const key = name.toUpperCase().replaceAll(/[\s-]+/gu, '_');
      const id = Object.hasOwn(JOB_TYPES, key) ? JOB_TYPES[key] : undefined;
      if (id !== undefined) ids.add(id);
      else if (name !== '') unmatched.push(name);
    }
  }
  return { types: [...ids].map((id) => ({ id })), unmatched };
}
