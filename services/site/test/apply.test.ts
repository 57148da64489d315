import { describe, expect, it } from '@jest/globals';
import { freePort } from '@joblisting/testing';
import { pdf } from '@joblisting/testing/system';
import { cv, useApplications } from './apply-site.ts';
import { ADA, openForm, pageOf, tokenIn } from './form.ts';
import { publicJob } from './running-site.ts';

const on = useApplications();

describe('GET /Share/Job{id}/apply', () => {
  it('shows the form, with a token bound to a cookie that scripts cannot read', async () => {
    const form = await openForm(on.site, 1);
    expect(form.status).toBe(200);
    expect(form.headers.get('set-cookie')).toMatch(/^apply=[\w-]{16}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(form.headers.get('cache-control')).toBe('no-store');
    expect(form.headers.get('referrer-policy')).toBe('same-origin');
    expect(form.text).toContain('<h1>Apply: Welder &lt;b&gt;</h1>');
    expect(form.text).toContain('I agree that Acme &amp; Sons gets this application');
    for (const name of ['name', 'email', 'phone', 'location', 'coverLetter', 'files', 'consent']) {
      expect(form.text).toContain(`<label for="${name}">`);
      expect(form.text).toMatch(new RegExp(`id="${name}" name="${name}"`));
    }
    expect(form.text).not.toContain('There is a problem');
  });

  it('prefixes the cookie with __Host- on https', async () => {
    const port = await freePort();
    const replica = await on.site.addReplica({ PORT: String(port), SEARCH_URL: 'https://jobs.example.com' });
    const response = await fetch(`http://localhost:${port}/Share/Job1/apply`);
    await response.text();
    await replica.stop();
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-apply=.*; Secure$/);
  });

  it('leads to the job page if applications are not collected here', async () => {
    const routed = { applicantRoutingType: { id: 2, name: 'Click-through' } } as const;
    await on.site.publish(publicJob(2, { ...routed, applicationUrl: 'https://acme.example/jobs/2' }));
    const response = await on.site.get('/Share/Job2/apply');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/Share/Job2']);
  });

  it('409 for a closed job, 410 for a deleted one, 404 for none', async () => {
    await on.site.publish(publicJob(3, { closeDate: '2026-03-11', closesAt: '2026-03-11T12:00:00.000Z' }));
    await on.site.publish(publicJob(4));
    await on.site.tell('deleted', { jobId: 4, version: 2 });
    await on.site.untilJob(4, 410);
    on.site.clock.set('2026-03-11T12:00:00Z');
    const statuses = await Promise.all([3, 4, 999].map((id) => on.site.statusOf(`/Share/Job${id}/apply`)));
    expect(statuses).toEqual([409, 410, 404]);
  });
});

describe('POST /Share/Job{id}/apply', () => {
  it('hands in everything with its files, and leads to a receipt without personal data', async () => {
    const { send } = await openForm(on.site, 1);
    const text = { phone: '+44 20 7946 0000', location: 'London', coverLetter: 'Hello,\r\n<b>you</b>' };
    const { status, headers } = await send({ fields: { ...ADA, ...text }, files: [cv] });
    expect(status).toBe(303);
    const [sent] = on.api.applications;
    expect(sent?.application).toEqual({
      applicant: { name: ADA.name, email: ADA.email, phone: text.phone, location: text.location },
      coverLetter: 'Hello,\n<b>you</b>',
      referenceId: sent?.key,
      source: 'site',
      consentAt: '2026-03-10T15:15:00.000Z',
    });
    expect(sent?.files.map(({ name, bytes }) => [name, Uint8Array.from(bytes)])).toEqual([
      [cv.name, cv.content],
    ]);
    const address = headers.get('location') ?? '';
    expect(address).toMatch(/^\/Share\/Job1\/applied\?receipt=[\w.-]+$/);
    expect(address).not.toMatch(/ada|example|CV/i);
    const receipt = await pageOf(await on.site.get(address));
    expect(receipt.status).toBe(200);
    expect(receipt.text).toContain(`<dd>${sent?.key}</dd>`);
    expect(receipt.text).toContain('<dt>Files</dt><dd>1</dd>');
    expect(receipt.text).toContain('Acme &amp; Sons has your application for “Welder &lt;b&gt;”.');
    expect(receipt.text).toContain('10 March, 15:15 UTC');
  });

  it('keeps each byte of five files together at the limit', async () => {
    const { send } = await openForm(on.site, 1);
    const content = Uint8Array.from(Buffer.concat([pdf(), Buffer.alloc(1024 ** 2 - pdf().length, 7)]));
    const files = Array.from({ length: 5 }, (_, index) => ({ name: `${index}.pdf`, content }));
    expect((await send({ files })).status).toBe(303);
    const received = on.api.applications[0]?.files.map(({ bytes }) => bytes.equals(content));
    expect(received).toEqual([true, true, true, true, true]);
  });

  it('makes one application of a double click and of a reload minutes later', async () => {
    const { send } = await openForm(on.site, 1);
    const both = await Promise.all([send({ files: [cv] }), send({ files: [cv] })]);
    on.site.clock.advance(5 * 60_000);
    const answers = [...both, await send({ files: [cv] })];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(on.api.applications).toHaveLength(1);
    const { send: sendAnother } = await openForm(on.site, 1);
    await sendAnother();
    expect(on.api.applications).toHaveLength(2);
  });

  it('409 if the form was sent before with other content', async () => {
    const { send } = await openForm(on.site, 1);
    await send();
    const { status, text } = await send({ fields: { ...ADA, coverLetter: 'One more thing.' } });
    expect(status).toBe(409);
    expect(text).toContain('This form was sent before with other content.');
  });
});

describe('POST /Share/Job{id}/apply › 422', () => {
  it('shows each error beside its field and in a summary with links, and keeps the text', async () => {
    const { send, token } = await openForm(on.site, 1);
    const fields = { name: ' ', email: 'ada', coverLetter: 'Kept "text"\r\n\r\n& <tags>', consent: 'yes' };
    const wrong = { name: 'run.exe', content: Uint8Array.from(Buffer.from('MZ')) };
    const { status, text } = await send({ fields, files: [cv, wrong] });
    expect(status).toBe(422);
    expect(text).toContain('<title>Error: Apply: Welder &lt;b&gt; – Job search</title>');
    expect(text).toMatch(/id="error-summary" role="alert" tabindex="-1" autofocus/);
    const linked = [...text.matchAll(/<li><a href="#(\w+)">([^<]+)<\/a>/g)].map(([, field, error]) => [
      field,
      error,
    ]);
    expect(linked).toEqual([
      ['name', 'Enter your name.'],
      ['email', 'Enter an e-mail address such as name@example.com.'],
      ['files', 'run.exe: Not a PDF.'],
    ]);
    for (const [field, error] of linked) {
      expect(text).toMatch(new RegExp(`id="${field}-error">\\s*<span>Error: ${error}</span>`));
      expect(text).toMatch(
        new RegExp(`id="${field}" [^>]*aria-describedby="[^"]*${field}-error" aria-invalid="true"`),
      );
    }
    expect(text).not.toMatch(/id="phone" [^>]*aria-invalid/);
    expect(text).toContain('value="ada"');
    expect(text).toContain('Kept &quot;text&quot;&#10;&#10;&amp; &lt;tags&gt;</textarea>');
    expect(text).toContain('Files must be chosen again.');
    expect(text).toMatch(/id="consent"[^>]* checked/);
    expect(tokenIn(text)).not.toBe(token);
  });

  it('asks for consent, with the other errors, and sends nothing', async () => {
    const before = on.api.requests();
    const { send } = await openForm(on.site, 1);
    const { status, text } = await send({ fields: { name: 'Ada', email: '' } });
    expect(status).toBe(422);
    expect(text).toContain('<a href="#email">Enter your e-mail address.</a>');
    expect(text).toContain('<a href="#consent">Tick the box to agree.</a>');
    expect(on.api.requests()).toBe(before);
  });

  it('says that the files are too large or too many, and keeps the text', async () => {
    const { send } = await openForm(on.site, 1);
    const large = {
      name: 'large.pdf',
      content: Uint8Array.from(Buffer.concat([pdf(), Buffer.alloc(7 * 1024 ** 2)])),
    };
    const { status, text } = await send({ files: [...Array.from({ length: 5 }, () => cv), large] });
    expect(status).toBe(422);
    expect(text).toContain('<a href="#files">Choose at most 5 files.</a>');
    expect(text).toContain('<a href="#files">The files have 7.0 MB together; at most 5 MB are possible.</a>');
    expect(text).toContain('value="Ada Lovelace"');
    expect(on.api.applications).toEqual([]);
  });

  it('refuses a longer cover letter than is possible', async () => {
    const { send } = await openForm(on.site, 1);
    const { status, text } = await send({ fields: { ...ADA, coverLetter: 'é'.repeat(200_000) } });
    expect(status).toBe(422);
    expect(text).toContain('The cover letter must be at most 20000 characters long.');
  });
});
