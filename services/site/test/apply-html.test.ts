import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
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
