import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dateIn, jobBody, makeWorld, sharedSystem, type World } from '../../src/index.ts';
import type { Outcome } from './programs.ts';
import { findPythonGenerator, heyApi, openapiFetch, runGenerated } from './run.ts';

const LIMIT_MS = 300_000;
const python = await findPythonGenerator();

const description = '<p>Fish &amp; chips, “5 €” — <strong>naïve</strong>  café 🌱</p>\n<ul><li>a</li></ul>';

describe.each([openapiFetch, heyApi, ...(python ? [python] : [])])('a client made by $name', (generator) => {
  let world: World;
  let outcome: Outcome;

  beforeAll(async () => {
    world = await makeWorld(sharedSystem());
    const { api, companyId, consumerKey, userKey, origin } = world;
    for (const [title, days] of [
      ['Cook', -2],
      ['Driver', -1],
    ] as const) {
      await api.post('/jobs', jobBody(companyId, { title, publishDate: dateIn(days) }));
    }
    outcome = await runGenerated(generator, origin, {
      COMPANY_ID: String(companyId),
      DESCRIPTION: description,
      CONSUMER_KEY: consumerKey,
      USER_KEY: userKey,
    });
  }, LIMIT_MS);

  afterAll(() => world.operator.close());

  it('changes the title alone, and leaves the HTML description as it was', () => {
    const text = { description, descriptionFormat: 'html' };
    expect(outcome.created).toEqual({ title: 'Groom', ...text });
    expect(outcome.updated).toEqual({ title: 'Gardener', ...text });
  });

  it('lists the jobs on two pages', () => {
    expect(outcome.pages).toEqual([['Driver', 'Cook'], ['Gardener']]);
  });

  it('reads every violation of a refused job', () => {
    const violations = [
      { pointer: '#/title', code: 'too_short' },
      { pointer: '#/description', code: 'too_short' },
    ];
    expect(outcome.refusal).toEqual({ status: 422, code: 'validation_failed', violations });
  });
});

if (python === undefined)
  it.skip('a client made by openapi-python-client (needs Python 3.11 with pip)', () => {});
