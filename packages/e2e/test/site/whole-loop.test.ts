import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findBrowser, openBrowser, type Page, waitFor } from '@joblisting/testing';
import { createClient, jobBody, makeWorld, startSystem, type System, type World } from '../../src/index.ts';

const browser = findBrowser();
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const directory = mkdtempSync(join(tmpdir(), 'whole-loop-'));
const [keyFile, mails] = [join(directory, 'consumer-key'), join(directory, 'mail')];
let system: System;
let world: World;
let page: Page;
let site: string;

beforeAll(async () => {
  if (browser === undefined) return;
  system = await startSystem({
    env: { CONSUMER_KEY_FILE: keyFile, MAIL: 'on', MAIL_DIR: mails },
    leaveOut: ['scheduler'],
  });
  world = await makeWorld(system);
  site = system.services.get('site')?.healthUrl ?? '';
  const { secret } = await world.operator.consumerKey(['applications:write', 'metrics:write']);
  writeFileSync(keyFile, secret);
  page = await openBrowser(browser);
  await page.setUserAgent(USER_AGENT);
}, 90_000);
afterAll(async () => {
  await page?.close();
  await world?.operator.close();
  await system?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Does something that leads to another page, and waits for that page. */
async function follow(action: string, path: RegExp): Promise<void> {
  await page.run(action);
  const isThere = `document.readyState === 'complete' && ${path}.test(location.pathname)`;
  await waitFor(() => page.run<boolean>(isThere).catch(() => false), { what: `the page ${path}` });
}

const textOf = (selector: string) =>
  page.run<string | undefined>(`document.querySelector(${JSON.stringify(selector)})?.innerText`);

const fillForm = `
  for (const [name, value] of Object.entries({ name: 'Ada Lovelace', email: 'ada@example.com' }))
    document.getElementById(name).value = value;
  document.getElementById('consent').checked = true;
  const files = new DataTransfer();
  files.items.add(new File(['%PDF-1.4\\n%%EOF\\n'], 'cv.pdf', { type: 'application/pdf' }));
  document.getElementById('files').files = files.files;`;

const jobOf = async (id: number) => (await world.api.get(`/jobs/${id}`)).json.data;

const title = browser === undefined ? 'a visitor (skipped: there is no Chromium)' : 'a visitor';
(browser === undefined ? describe.skip : describe)(title, () => {
  it('searches, opens a job, applies with a PDF, and later finds it closed', async () => {
    const { json } = await world.api.post(
      '/jobs',
      jobBody(world.companyId, { title: 'Lighthouse keeper', applicationEmails: ['hr@acme.example'] }),
    );
    const { id } = json.data as { id: number };
    await waitFor(async () => (await fetch(`${site}/Share/Job${id}`)).ok, { what: 'the job on the site' });

    await page.open(`${site}/`);
    await follow(
      `document.querySelector('[name=q]').value = 'lighthouse';
      document.querySelector('[name=q]').form.requestSubmit()`,
      /^\/$/,
    );
    await waitFor(async () => (await textOf('main'))?.includes('Lighthouse keeper'), { what: 'the result' });
    await follow(`document.querySelector('a[href$="/Share/Job${id}"]').click()`, /^\/Share\/Job\d+$/);
    expect(await textOf('h1')).toBe('Lighthouse keeper');
    await waitFor(async () => page.requests.some((url) => url.endsWith('/count')), { what: 'the beacon' });

    await follow(`document.querySelector('a[href$="/apply"]').click()`, /\/apply$/);
    await follow(`${fillForm} document.querySelector('form.apply').requestSubmit()`, /\/applied$/);
    expect(await textOf('h1')).toBe('Your application was sent');
    expect(page.complaints).toEqual([]);

    const { secret: consumer } = await world.operator.consumerKey(['applications:read']);
    const reader = createClient(world.origin, { consumer, user: world.userKey });
    const { data: applications } = (await reader.get(`/applications?company.id=${world.companyId}`)).json;
    expect(applications).toMatchObject([
      { job: { id }, applicant: { name: 'Ada Lovelace' }, source: 'site' },
    ]);
    const mail = await waitFor(() => readdirSync(mails).find((name) => name.endsWith('.eml')), {
      what: 'the mail',
    });
    expect(readFileSync(join(mails, mail), 'utf8')).toContain('cv.pdf');
    // The application is counted by its event.
    await waitFor(
      async () => {
        const { viewCount, applicationCount } = await jobOf(id);
        return viewCount === 1 && applicationCount === 1;
      },
      { what: 'one view and one application', limitMs: 20_000 },
    );
    const { data } = (await world.api.get(`/jobs/${id}/metrics`)).json;
    expect(data.series).toMatchObject([{ source: 'site', views: 1, applications: 1, clickThroughs: 0 }]);

    await world.api.put(`/jobs/${id}`, { status: { id: 2 } });
    await waitFor(
      async () => {
        await page.open(`${site}/Share/Job${id}`);
        return (await textOf('[role=status]'))?.includes('This job is closed');
      },
      { what: 'the banner', limitMs: 2000 },
    );
    expect(await page.run('document.querySelector(\'a[href$="/apply"]\')')).toBeNull();
  }, 60_000);
});
