import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, newJob } from './client.mjs';

const containerUser = 1000;

function folderForContainers(system, name) {
  const folder = join(system.directory, name);
  mkdirSync(folder, { recursive: true });
  chownSync(folder, containerUser, containerUser);
  return folder;
}

/** Checks that a backup brings back what was there, and nothing else. */
export async function checkBackup(system, demo, tally) {
  folderForContainers(system, 'backups');
  const client = createClient(system.origin, demo);
  const status = async (id) => (await client.get(`/jobs/${id}`)).status;
  const before = (await client.put(newJob(`kept-${randomUUID()}`, 'Beekeeper'))).json.data;
  const backUp = ['run', '--rm', '-T', 'operations', 'backup-mongodb.mjs', '/backups/one'];
  tally.note('a backup is made', /documents of/.test(await system.run(...backUp)) ? undefined : 'no count');
  const after = (await client.put(newJob(`lost-${randomUUID()}`, 'Fortune Teller'))).json.data;

  await system.down();
  const restore = ['run', '--rm', '-T', 'operations', 'restore-mongodb.mjs', '/backups/one', '--drop'];
  tally.note(
    'it is restored',
    /documents restored/.test(await system.run(...restore)) ? undefined : 'no count',
  );
  await system.up();
  await system.healthy();
  tally.equal(
    'a job of the backup is back, a later one is not',
    [await status(before.id), await status(after.id)],
    [200, 404],
  );
}

/** Checks an import with its report in a folder of this machine. */
export async function checkImport(system, demo, tally) {
  const folder = folderForContainers(system, 'postings');
  const posting = { '@type': 'JobPosting', title: 'No description' };
  writeFileSync(join(folder, 'postings.ndjson'), `${JSON.stringify(posting)}\n`);
  const [company] = demo.companies;
  const keys = { JOBS_CONSUMER_KEY: demo.consumerKey, JOBS_USER_KEY: company.userKey };
  const environment = Object.entries(keys).flatMap(([name, key]) => ['-e', `${name}=${key}`]);
  const importing = ['import', 'postings.ndjson', '--company', String(company.id), '--json'];
  const mounted = ['-v', `${folder}:/postings`, '-w', '/postings'];
  const output = await system
    .run('run', '--rm', '-T', ...environment, ...mounted, 'cli', ...importing)
    .catch(({ message }) => message);
  tally.note('an import writes its report', /postings\.refused\.ndjson/.test(output) ? undefined : output);
}
