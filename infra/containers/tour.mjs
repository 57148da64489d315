import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../local/bootstrap/paths.mjs';
import { createClient, newJob } from './client.mjs';
import { sh, until } from './shell.mjs';

const countLimitMs = 20_000;
const separator = '--- next ---';

/** The code blocks of the README's tour. */
function commands() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const tour = readme.split('## A tour with curl')[1].split('\n## ')[0];
  const blocks = [...tour.matchAll(/^```\n(.*?)^```/gms)].map(([, block]) => block);
  return blocks.slice(0, blocks.findIndex((block) => block.includes('applicantRoutingType": {"id": 2}')) + 1);
}

/** Runs the README's tour with bash and curl. */
export async function walkTour(system, tally) {
  const blocks = commands();
  const script = blocks.join(`\necho '${separator}'\n`);
  const output = await sh('bash', ['-euc', script], { cwd: system.directory });
  const [, list, put, changes, mistakes] = output.split(separator).map((text) => text.trim());

  const page = JSON.parse(list);
  tally.equal("the list has two of the demo's jobs", page.data.length, 2);
  tally.note(
    'the list links to its next page',
    page.paging.next?.startsWith(system.origin) ? undefined : list,
  );
  tally.equal('a job is created with its own reference', JSON.parse(put).data.title, 'Gardener');
  const [closed, published, deleted] = changes.split('\n').filter((line) => line !== '');
  tally.equal('the job is closed', JSON.parse(closed).data.status.id, 2);
  tally.equal('the job is published again', JSON.parse(published).data.status.id, 1);
  tally.note('the job is deleted by method override', /20[04]$/.test(deleted) ? undefined : deleted);
  tally.note(
    'all mistakes are reported at once',
    JSON.parse(mistakes).errors.length >= 3 ? undefined : mistakes,
  );
}

/** Checks the documentation and that metrics events are counted. */
export async function checkDocsAndEvents(system, demo, tally) {
  const client = createClient(system.origin, demo);
  tally.equal('the documentation is served', await client.status('/docs'), 200);
  tally.equal('the OpenAPI document is served', await client.status('/openapi.json'), 200);
  const { json } = await client.put(newJob('seen', 'Lighthouse Keeper'));
  const { id: jobId } = json.data;
  const events = ['view', 'view', 'application'].map((type) => ({ id: crypto.randomUUID(), jobId, type }));
  const report = await client.report(events);
  tally.equal('events are accepted', [report.status, report.json.data.accepted], [200, 3]);
  await until('the counts', countLimitMs, async () => {
    const { data } = (await client.get(`/jobs/${jobId}`)).json;
    return data.viewCount === 2 && data.applicationCount === 1;
  });
  tally.note('events are counted');
}
