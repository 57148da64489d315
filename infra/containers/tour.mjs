import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../local/bootstrap/paths.mjs';
import { createClient, newJob } from './client.mjs';
import { sh } from './shell.mjs';
import { until } from './wait.mjs';

const countLimitMs = 20_000;
const mark = '--- next ---';

/** The commands of the README's tour, a block each, for a gateway elsewhere. */
function commands(origin) {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const tour = readme.split('## A tour with curl')[1].split('\n## ')[0];
  const blocks = [...tour.matchAll(/^```\n(.*?)^```/gms)].map(([, block]) => block);
  return blocks
    .slice(0, blocks.findIndex((block) => block.includes('applicantRoutingType": {"id": 2}')) + 1)
    .map((block) => block.replaceAll('http://localhost:8080', origin));
}

/** Walks the README's tour with bash and curl, as it is written there. */
export async function walkTour(system, tally) {
  const blocks = commands(system.origin);
  const script = blocks.join(`\necho '${mark}'\n`);
  const output = await sh('bash', ['-euc', script], { cwd: system.directory });
  const [, list, put, changes, mistakes] = output.split(mark).map((text) => text.trim());

  const page = JSON.parse(list);
  tally.equal("the list has two of the demo's jobs", page.data.length, 2);
  tally.note(
    'the list says where its next page is',
    page.paging.next?.startsWith(system.origin) ? undefined : list,
  );
  tally.equal('a job is put under an own reference', JSON.parse(put).data.title, 'Gardener');
  const [closed, published, deleted] = changes.split('\n').filter((line) => line !== '');
  tally.equal('it is closed', JSON.parse(closed).data.status.id, 2);
  tally.equal('it is published again', JSON.parse(published).data.status.id, 1);
  tally.note('it is deleted by method override', /20[04]$/.test(deleted) ? undefined : deleted);
  tally.note('all mistakes are told at once', JSON.parse(mistakes).errors.length >= 3 ? undefined : mistakes);
}

/** What the tour leaves out: documentation, and events that are counted. */
export async function lookAround(system, demo, tally) {
  const client = createClient(system.origin, demo);
  tally.equal('the documentation is served', await client.status('/docs/'), 200);
  tally.equal('so is OpenAPI', await client.status('/openapi.json'), 200);
  const { json } = await client.put(newJob('seen', 'Lighthouse Keeper'));
  const { id: jobId } = json.data;
  const events = ['view', 'view', 'application'].map((type) => ({ id: crypto.randomUUID(), jobId, type }));
  const report = await client.report(events);
  tally.equal('events are taken', [report.status, report.json.data.accepted], [200, 3]);
  await until('the counts', countLimitMs, async () => {
    const { data } = (await client.get(`/jobs/${jobId}`)).json;
    return data.viewCount === 2 && data.applicationCount === 1;
  });
  tally.note('and counted');
}
