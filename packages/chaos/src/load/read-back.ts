import type { World } from '../system/world.ts';
import { listAll } from './jobs.ts';
import type { Journal } from './journal.ts';

/** Compares all stored jobs with the acknowledged writes. */
export async function readBack(
  { api, companyId }: Pick<World, 'api' | 'companyId'>,
  journal: Journal,
): Promise<{ lost: string[]; duplicates: string[] }> {
  const lost: string[] = [];
  const duplicates: string[] = [];
  const seen = new Set<string>();
  for (const { id, title, status } of await listAll(api, companyId)) {
    const name = title.split(' ')[0] ?? '';
    const entry = journal.entries.get(name);
    if (!entry) duplicates.push(`job ${id} "${title}" was never acknowledged`);
    else if (seen.has(name) || entry.id !== id) duplicates.push(`${name} is ${entry.id} and ${id}`);
    else if (!entry.exists) lost.push(`DELETE of ${name}`);
    else if (entry.title !== title || entry.statusId !== status.id) lost.push(`change of ${name}`);
    seen.add(name);
  }
  for (const { name, exists } of journal.entries.values()) {
    if (exists && !seen.has(name)) lost.push(name);
  }
  return { lost, duplicates };
}
