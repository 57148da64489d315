import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { missingFrom, printsError } from '../../src/guides/answers.ts';
import { blocksOf, shownAnswers } from '../../src/guides/blocks.ts';
import {
  type Environment,
  preparePythonClient,
  languages,
  runBlocks,
  typeErrorsOf,
} from '../../src/guides/run.ts';
import { jobBody, useWorld } from '../../src/index.ts';

const folder = new URL('../../../../services/gateway/pages/guides/', import.meta.url);
const guides = readdirSync(folder).map((file) => file.replace(/\.md$/, ''));
const INSTALL_LIMIT_MS = 180_000;

const world = useWorld();
const runnable = (language: keyof typeof languages) =>
  languages[language].missing === undefined ? it : it.skip;
const titleOf = (language: keyof typeof languages) => {
  const { name, missing } = languages[language];
  return `its ${name} examples run${missing === undefined ? '' : ` (skipped: ${missing})`}`;
};

let environment: Environment;
const readGuide = async (name: string): Promise<string> =>
  (await fetch(`${world.origin}/docs/${name}.md`)).text();
const blocksIn = async (name: string, language: string) =>
  blocksOf(await readGuide(name)).filter((block) => block.language === language);

beforeAll(async () => {
  const { operator, companyId, userKey } = world;
  const scopes = [
    'jobs:read',
    'jobs:write',
    'applications:read',
    'applications:write',
    'events:read',
    'webhooks:write',
  ] as const;
  const [consumer, site] = await Promise.all([
    operator.consumerKey(scopes),
    operator.consumerKey(['applications:write', 'metrics:write']),
  ]);
  environment = {
    CONSUMER_KEY: consumer.secret,
    USER_KEY: userKey,
    COMPANY_ID: String(companyId),
    SITE_KEY: site.secret,
  };
  // So that a list of two has a next page. The job of the guide comes first.
  for (const title of ['Cook', 'Gardener']) {
    await world.api.post('/jobs', jobBody(companyId, { title, publishDate: '2026-01-02' }));
  }
  if (languages.python.missing === undefined) await preparePythonClient();
}, INSTALL_LIMIT_MS);

/** Events of one guide must not come while the next one follows them. */
async function untilNoEventsCome(): Promise<void> {
  let after = '';
  const comesNone = async () => {
    const { json } = await world.api.get(`/events?company.id=${world.companyId}&limit=1000&wait=2${after}`);
    after = `&after=${json.paging.next}`;
    return json.data.length === 0;
  };
  await waitFor(comesNone, { limitMs: 30_000, what: 'the log to have no new events' });
}

describe.each(guides)('the guide %s', (name) => {
  it('its curl examples run and print what it shows', async () => {
    await untilNoEventsCome();
    const blocks = blocksOf(await readGuide(name));
    const commands = blocks.filter(({ language }) => language === 'bash');
    const outputs = await runBlocks(languages.bash, commands, environment);
    const answers = shownAnswers(blocks, 'bash');
    expect(answers.length).toBeGreaterThan(0);
    for (const { block, shown } of answers) {
      expect([shown.text, missingFrom(outputs[block] ?? '', shown)]).toEqual([shown.text, []]);
    }
    const errors = outputs.flatMap((output, block) => (printsError(output) ? [block] : []));
    const shownErrors = answers.filter(({ shown }) => printsError(oneLine(shown.text)));
    expect(errors).toEqual(shownErrors.map(({ block }) => block));
  });

  for (const language of ['ts', 'python'] as const) {
    runnable(language)(titleOf(language), async () => {
      await runBlocks(languages[language], await blocksIn(name, language), environment);
    });
  }

  it('its TypeScript examples compile with what Node 20 has', async () => {
    expect(await typeErrorsOf(await blocksIn(name, 'ts'))).toBe('');
  });

  it('has as many examples in each language', async () => {
    const counts = await Promise.all(
      ['bash', 'ts', 'python'].map(async (language) => (await blocksIn(name, language)).length),
    );
    // The first ones may be for curl alone, before a client is set up.
    expect(counts[1]).toBe(counts[2]);
    expect(counts[0]).toBeGreaterThanOrEqual(counts[1] ?? 0);
  });
});

/** The answers of a guide are written in several lines. */
const oneLine = (text: string): string => (text.startsWith('{') ? JSON.stringify(JSON.parse(text)) : '');
