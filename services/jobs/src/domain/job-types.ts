import { type JobChanges, jobTypes } from '@joblisting/contracts';
import type { Findings } from './findings.ts';

const names = new Map<number, string>(jobTypes.map(({ id, name }) => [id, name]));

/** The ids of the types sent, each once, in the order of their first use (API decisions, "Duplicates in lists"). */
export function resolveTypes(
  sent: NonNullable<JobChanges['types']>,
  { violate }: Findings,
): readonly number[] {
  for (const [index, { id }] of sent.entries()) {
    if (!names.has(id)) violate(`#/types/${index}/id`, 'unknown_id', `There is no job type ${id}.`);
  }
  return [...new Set(sent.map(({ id }) => id))];
}

/** The name of a known job type. */
export const jobTypeName = (id: number): string => names.get(id) ?? '';
