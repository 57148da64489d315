import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { createClient, jobBody, makeWorld, pdf, startSystem, type System, type World } from '../src/index.ts';

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const directory = mkdtempSync(join(tmpdir(), 'site-key-'));
const keyFile = join(directory, 'consumer-key');

let system: System;
let world: World;
let site: string;

beforeAll(async () => {
  system = await startSystem({ env: { CONSUMER_KEY_FILE: keyFile, MAIL: 'off' }, leaveOut: ['scheduler'] });
  world = await makeWorld(system);
  site = system.services.get('site')?.healthUrl ?? '';
  const { secret } = await world.operator.consumerKey(['applications:write', 'metrics:write']);
  writeFileSync(keyFile, secret);
}, 90_000);
afterAll(async () => {
  await world?.operator.close();
  await system?.stop();
  rmSync(directory, { recursive: true });
});

const get = (path: string) =>
  fetch(`${site}${path}`, { headers: { 'user-agent': BROWSER }, redirect: 'manual' });

/** Publishes a job, and waits until the site shows it. */
async function publishedJob(more: Record<string, unknown>) {
  const { json } = await world.api.post('/jobs', jobBody(world.companyId, more));
  const { id } = json.data as { id: number };
  const page = await waitFor(
    async () => {
      const response = await get(`/Share/Job${id}`);
      const text = await response.text();
      return response.ok ? text : undefined;
    },
    { what: `job ${id} on the site` },
  );
  return { id, page };
}

const countsOf = async (id: number): Promise<unknown> => {
  const { viewCount, applicationCount, clickThroughCount } = (await world.api.get(`/jobs/${id}`)).json.data;
  return { viewCount, applicationCount, clickThroughCount };
};
const untilCounts = async (id: number, counts: object) => {
  const wanted = JSON.stringify(counts);
  let found = '';
  await waitFor(
    async () => {
      found = JSON.stringify(await countsOf(id));
      return found === wanted;
    },
    { what: () => `${wanted} of job ${id}; it has ${found}`, limitMs: 20_000 },
  );
};

describe('the job search site', () => {
  it('counts a view and an application on the job, and a mail copy is queued', async () => {
    const { id, page } = await publishedJob({ applicationEmails: ['hr@acme.example'] });
    const token = /data-token="([^"]+)"/.exec(page)?.[1] ?? '';
    const view = await fetch(`${site}/count`, {
      method: 'POST',
      headers: { 'user-agent': BROWSER },
      body: token,
    });
    expect(view.status).toBe(204);

    const form = await get(`/Share/Job${id}/apply`);
    const formToken = /name="token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
    const sendForm = async () => {
      const body = new FormData();
      const filled = { token: formToken, name: 'Ada Lovelace', email: 'ada@example.com', consent: 'yes' };
      for (const [name, value] of Object.entries(filled)) body.append(name, value);
      body.append('files', new Blob([pdf('by the site')]), 'cv.pdf');
      const cookie = form.headers.get('set-cookie')?.split(';')[0] ?? '';
      const path = `/Share/Job${id}/apply`;
      const headers = { 'user-agent': BROWSER, cookie };
      return fetch(`${site}${path}`, { method: 'POST', headers, body, redirect: 'manual' });
    };
    // A double click.
    const sent = await Promise.all([sendForm(), sendForm()]);
    expect(sent.map(({ status }) => status)).toEqual([303, 303]);
    const receipt = await get(sent[0]?.headers.get('location') ?? '');
    expect(await receipt.text()).toContain('Your application was sent');

    await untilCounts(id, { viewCount: 1, applicationCount: 1, clickThroughCount: 0 });
    const { secret } = await world.operator.consumerKey(['applications:read']);
    const company = createClient(world.origin, { consumer: secret, user: world.userKey });
    const list = await company.get(`/applications?company.id=${world.companyId}&job.id=${id}`);
    expect(list.json.data).toHaveLength(1);
    const application = await company.get(`/applications/${list.json.data[0].id}`);
    expect(application.json.data).toMatchObject({
      source: 'site',
      applicant: { name: 'Ada Lovelace', email: 'ada@example.com' },
      files: [{ name: 'cv.pdf', type: 'application/pdf' }],
      copies: [{ email: 'hr@acme.example', state: 'queued' }],
    });
  });

  it('counts a click-through and leads to the employer', async () => {
    const applicationUrl = 'https://acme.example/jobs/1';
    const { id } = await publishedJob({ applicantRoutingType: { id: 2 }, applicationUrl });
    const out = await get(`/Share/Job${id}/out`);
    expect([out.status, out.headers.get('location')]).toEqual([302, applicationUrl]);
    await untilCounts(id, { viewCount: 0, applicationCount: 0, clickThroughCount: 1 });
  });

  it('shows what the API refuses beside its field', async () => {
    const { id } = await publishedJob({});
    const form = await get(`/Share/Job${id}/apply`);
    const body = new FormData();
    body.append('token', /name="token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '');
    for (const [name, value] of Object.entries({ name: 'Ada', email: 'ada@example.com', consent: 'yes' }))
      body.append(name, value);
    body.append('files', new Blob(['MZ\0\0']), 'cv.exe');
    const cookie = form.headers.get('set-cookie')?.split(';')[0] ?? '';
    const headers = { 'user-agent': BROWSER, cookie };
    const answer = await fetch(`${site}/Share/Job${id}/apply`, { method: 'POST', headers, body });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toMatch(
      /<a href="#files">cv\.exe: The bytes must be a PDF, DOC, DOCX, ODT, RTF, TXT, PNG or JPEG file\.<\/a>/,
    );
  });
});
