import { listOf, property } from '../values.ts';
import type { JobBody } from '../postings/mapping.ts';

/** True if a PUT with this body would not change the job that GET returned (updates are partial: spec, "PUT"). */
export function isSameJob(job: unknown, body: JobBody): boolean {
  return Object.entries(body).every(
    ([name, wanted]: [string, unknown]) =>
      wanted === undefined || isSameField(name, property(job, name), wanted),
  );
}

function isSameField(name: string, current: unknown, wanted: unknown): boolean {
  switch (name) {
    case 'company':
    case 'applicantRoutingType':
      return property(current, 'id') === property(wanted, 'id');
    case 'types':
      return sortedIds(current) === sortedIds(wanted);
    case 'province':
      return isSameProvince(current, wanted);
    default:
      return current === wanted;
  }
}

function isSameProvince(current: unknown, wanted: unknown): boolean {
  if (current === null || wanted === null) return current === wanted;
  const id = property(wanted, 'id');
  if (id !== undefined) return property(current, 'id') === id;
  const country = property(property(wanted, 'country'), 'id');
  return property(current, 'id') === null && property(property(current, 'country'), 'id') === country;
}

function sortedIds(types: unknown): string {
  return listOf(types)
    .map((type) => Number(property(type, 'id')))
    .toSorted((a, b) => a - b)
    .join();
}
