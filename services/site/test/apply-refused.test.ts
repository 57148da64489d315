import { describe, expect, it } from '@jest/globals';
import { cv, useApplications } from './apply-site.ts';
import { ADA, openForm, pageOf, tokenIn } from './form.ts';
import { publicJob } from './running-site.ts';

const on = useApplications();

describe('POST /Share/Job{id}/apply › another form than ours', () => {
  const expectNothingSent = () => expect(on.api.applications).toEqual([]);

  it('403 with the text kept if the token is missing, forged, of another job, cookie or half a day ago', async () => {
    await on.site.publish(publicJob(5));
    const other = await openForm(on.site, 5);
    const { send, token } = await openForm(on.site, 1);
    const forged = `${token.slice(0, -2)}${token.endsWith('A') ? 'B' : 'A'}A`;
    for (const value of ['', forged, other.token, 'a.b.c.d', '....', '1']) {
      const { status, text } = await send({ fields: { ...ADA, token: value } });
      expect(status).toBe(403);
      expect(text).toContain('value="Ada Lovelace"');
    }
    expect((await send({ headers: { cookie: 'apply=AAAAAAAAAAAAAAAA' } })).status).toBe(403);
    expect((await send({ headers: { cookie: '' } })).status).toBe(403);
    on.site.clock.advance(12 * 3600_000 + 1);
    const late = await send();
    expect([late.status, tokenIn(late.text) === token]).toEqual([403, false]);
    expectNothingSent();
  });

  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://localhost:1' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('403 from another site: %j', async (headers) => {
    const { send } = await openForm(on.site, 1);
    const { status, text } = await send({ headers });
    expect(status).toBe(403);
    expect(text).not.toContain('Ada');
    expectNothingSent();
  });

  it('is taken from a page that hides where it is, of this site', async () => {
    const { send } = await openForm(on.site, 1);
    expect((await send({ headers: { origin: 'null', 'sec-fetch-site': 'same-origin' } })).status).toBe(303);
  });

  it('shows a robot that fills the hidden field a receipt, and sends nothing', async () => {
    const before = on.api.requests();
    const { send } = await openForm(on.site, 1);
    const { status, headers } = await send({
      fields: { ...ADA, website: 'https://spam.example' },
      files: [cv],
    });
    expect(status).toBe(303);
    const receipt = await pageOf(await on.site.get(headers.get('location') ?? ''));
    expect([receipt.status, receipt.text.includes('<dt>Files</dt><dd>1</dd>')]).toEqual([200, true]);
    expect(on.api.requests()).toBe(before);
  });

  it.each([
    ['application/x-www-form-urlencoded', 'name=Ada', 415],
    ['application/json', '{"fields":{}}', 415],
    ['text/plain', 'name=Ada', 415],
    ['multipart/form-data', 'name=Ada', 400],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', 400],
  ])('refuses a body of type %s that is %j with %i', async (type, body, status) => {
    const response = await fetch(`${on.site.origin}/Share/Job1/apply`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain('The form could not be read');
  });

  it('400 without a body', async () => {
    const response = await fetch(`${on.site.origin}/Share/Job1/apply`, { method: 'POST' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('The form could not be read');
  });

  it('413 for a form over 32 MB', async () => {
    const { send } = await openForm(on.site, 1);
    const content = new Uint8Array(33 * 1024 ** 2);
    expect((await send({ files: [{ name: 'huge.pdf', content }] })).status).toBe(413);
  });
});

describe('POST /Share/Job{id}/apply › the API takes nothing', () => {
  it.each([
    [{ status: 404, code: 'job_not_found' }, 410, 'This job is gone'],
    [{ status: 409, code: 'job_not_open' }, 409, 'This job is closed'],
    [{ status: 409, code: 'applications_not_collected' }, 409, 'This job is closed'],
  ])('%j: %i', async (refusal, status, title) => {
    on.api.behave(refusal);
    const { send } = await openForm(on.site, 1);
    const page = await send();
    expect([page.status, page.text.includes(`<h1>${title}</h1>`)]).toEqual([status, true]);
  });

  it.each([
    { status: 401, code: 'unauthenticated' },
    { status: 429, code: 'rate_limited', retryAfter: 30 },
    { status: 500 },
    { status: 503, retryAfter: 30 },
    { status: 504, retryAfter: 30 },
  ])('%j: 503, the text is kept, and the same form sent again makes one application', async (refusal) => {
    const { send, token } = await openForm(on.site, 1);
    on.api.behave(refusal);
    const { status, headers, text } = await send();
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
    expect(text).toContain('Applications cannot be sent at the moment.');
    expect(text).toContain('value="Ada Lovelace"');
    expect(tokenIn(text)).toBe(token);
    on.api.behave('fine');
    expect((await send()).status).toBe(303);
    expect(on.api.applications).toHaveLength(1);
  });

  it('an answer is lost: the site repeats the request, which makes one application', async () => {
    const { send } = await openForm(on.site, 1);
    on.api.behave('mute');
    const sending = send();
    setTimeout(() => on.api.behave('fine'), 1000);
    expect((await sending).status).toBe(303);
    expect(on.api.applications).toHaveLength(1);
  });
});

describe('GET /Share/Job{id}/applied', () => {
  it('404 without a receipt, with a forged one, or with that of another job', async () => {
    const { send } = await openForm(on.site, 1);
    const address = (await send()).headers.get('location') ?? '';
    const paths = [
      '/Share/Job1/applied',
      `${address.slice(0, -3)}AAA`,
      address.replace('Job1', 'Job2'),
      `${address}&receipt=x`,
    ];
    expect(await Promise.all(paths.map((path) => on.site.statusOf(path)))).toEqual([404, 404, 404, 404]);
    expect(await on.site.statusOf(address)).toBe(200);
  });
});
