import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findBrowser, openBrowser, type Page, waitFor } from '@joblisting/testing';
import { HtmlValidate } from 'html-validate';
import { looks, problemsOf } from './accessibility.ts';
import { type ApiServer, KEY, startApiServer } from './api-server.ts';
import { ADA, openForm, pageOf } from './form.ts';
import { publicJob, runSite, type RunningSite } from './running-site.ts';

let api: ApiServer;
let site: RunningSite;
beforeAll(async () => {
  api = await startApiServer();
  site = await runSite({ API_URL: api.url, CONSUMER_KEY: KEY });
  await site.publish(publicJob(1));
}, 60_000);
afterAll(async () => {
  await site?.stop();
  await api?.stop();
});

it('form, form with errors, receipt and job are valid HTML', async () => {
  const validator = new HtmlValidate({ extends: ['html-validate:standard', 'html-validate:a11y'] });
  const { text, send } = await openForm(site, 1);
  const refused = await send({ fields: { consent: '' } });
  const sent = await send({ fields: ADA });
  const receipt = await pageOf(await site.get(sent.headers.get('location') ?? ''));
  const job = await pageOf(await site.get('/Share/Job1'));
  for (const page of [text, refused.text, receipt.text, job.text]) {
    const report = await validator.validateString(page);
    const problems = report.results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
    );
    expect(problems).toEqual([]);
  }
});

const browser = findBrowser();

// Not every machine has a browser; CI brings one.
(browser === undefined ? describe.skip : describe)('in a browser', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openBrowser(browser ?? '');
  });
  afterAll(() => page.close());

  /** Sends the form as it is, and waits for the page that answers. */
  const send = async (heading: string): Promise<void> => {
    await page.run("document.querySelector('form.apply').submit()");
    const isThere = `document.readyState === 'complete' && document.body.innerText.includes(${JSON.stringify(heading)})`;
    await waitFor(() => page.run<boolean>(isThere).catch(() => false), { what: heading });
  };

  it.each(looks)(
    'form, form with errors and receipt are accessible and fit at %d px, %s',
    async (width, scheme) => {
      await page.resize(width, 900);
      await page.preferColorScheme(scheme);
      await page.open(`${site.origin}/Share/Job1/apply`);
      expect(await problemsOf(page)).toEqual([]);
      await send('There is a problem');
      expect(await problemsOf(page)).toEqual([]);
      expect(await page.run('document.activeElement.id')).toBe('error-summary');
      await page.run(`
        document.getElementById('name').value = 'Ada';
        document.getElementById('email').value = 'ada@example.com';
        document.getElementById('consent').checked = true`);
      await send('Your application was sent');
      expect(await problemsOf(page)).toEqual([]);
    },
    60_000,
  );
});
