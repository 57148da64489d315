import type { Servers } from '../system/servers.ts';
import type { BenchCompany, World } from '../system/world.ts';
import type { Copies } from './copies.ts';
import { insertCopies } from './copy-jobs.ts';
import type { Template } from './templates.ts';

/** Inserts the same jobs into the baseline's database, as the API shows them, with the obvious indexes. */
export async function copyPlainJobs(
  servers: Servers,
  databaseName: string,
  { copies, templates, world }: { copies: Copies; templates: readonly Template[]; world: World },
): Promise<void> {
  await servers.mongod.withDatabase(databaseName, async (database) => {
    const jobs = database.collection('jobs');
    await jobs.createIndexes([
      { key: { 'company.id': 1, displayDate: -1, _id: -1 } },
      { key: { 'company.id': 1, 'status.id': 1, displayDate: -1, _id: -1 } },
    ]);
    await insertCopies(jobs, copies.total, (offset) => {
      const { id, company, template } = copies.at(offset);
      const { id: companyId, name } = world.companies[company] as BenchCompany;
      const { shown } = templates[template] as Template;
      return { ...shown, _id: id, id, referenceId: `copy-${id}`, company: { id: companyId, name } };
    });
  });
}
