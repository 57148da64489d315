import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { type ApiServer, KEY, startApiServer } from './api-server.ts';
import { ADA, openForm, pageOf } from './form.ts';
import { publicJob, runSite, type RunningSite, START } from './running-site.ts';

const directory = mkdtempSync(join(tmpdir(), 'site-key-'));
const keyFile = join(directory, 'consumer-key');

let api: ApiServer;
let site: RunningSite;
beforeAll(async () => {
  api = await startApiServer();
  site = await runSite({
    API_URL: api.url,
    CONSUMER_KEY_FILE: keyFile,
    APPLICATIONS_PER_HOUR: '3',
    TRUSTED_PROXIES: '127.0.0.1, ::1',
  });
  await site.publish(publicJob(1));
}, 60_000);
afterAll(async () => {
  await site?.stop();
  await api?.stop();
  rmSync(directory, { recursive: true });
});
beforeEach(() => site.clock.set(START));

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

describe('the file with the consumer key', () => {
  it('is missing: 503, for the form and for what is sent, which is kept', async () => {
    const page = await pageOf(await site.get('/Share/Job1/apply'));
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '60']);
    expect(page.text).toContain('Applications cannot be sent at the moment.');
    writeFileSync(keyFile, `${KEY}\n`);
    const { send } = await openForm(site, 1);
    rmSync(keyFile);
    const { status, text } = await send(from('192.0.2.1'));
    expect([status, text.includes('value="Ada Lovelace"')]).toEqual([503, true]);
    expect(api.requests()).toBe(0);
  });

  it('is made after the start and changed later: it is read again', async () => {
    writeFileSync(keyFile, 'a-wrong-key');
    const { send } = await openForm(site, 1);
    expect((await send(from('192.0.2.2'))).status).toBe(503);
    writeFileSync(keyFile, `${KEY}\n`);
    expect((await send(from('192.0.2.2'))).status).toBe(303);
  });
});

describe('applications of one network address', () => {
  const send = async (address: string) => (await openForm(site, 1)).send(from(address));
  const statuses = async (addresses: readonly string[]) => {
    const found: number[] = [];
    for (const address of addresses) found.push((await send(address)).status);
    return found;
  };

  it('429 with Retry-After past the limit of an hour, and the text is kept', async () => {
    site.clock.set('2026-03-10T15:40:00Z');
    const address = '198.51.100.1';
    expect(await statuses([address, address, address])).toEqual([303, 303, 303]);
    const before = api.applications.length;
    const { status, headers, text } = await send(address);
    expect([status, headers.get('retry-after')]).toEqual([429, '1200']);
    expect(text).toContain('Please try again in 20 minutes.');
    expect(text).toContain('value="Ada Lovelace"');
    expect(api.applications).toHaveLength(before);
    expect(await statuses(['198.51.100.2'])).toEqual([303]);
    site.clock.set('2026-03-10T16:00:00Z');
    expect(await statuses([address])).toEqual([303]);
  });

  it('counts what the API refused, but not a form with errors that the site finds', async () => {
    const address = '198.51.100.3';
    const { send: sendInvalid } = await openForm(site, 1);
    for (let time = 0; time < 4; time += 1) {
      const fields = { ...ADA, consent: '' };
      expect((await sendInvalid({ fields, ...from(address) })).status).toBe(422);
    }
    for (const status of [422, 422, 422, 429]) {
      expect((await sendInvalid({ fields: { ...ADA, email: 'x' }, ...from(address) })).status).toBe(status);
    }
  });

  it('counts all addresses of an IPv6 network of 64 bits as one, on all replicas, and stores none', async () => {
    const addresses = ['2001:db8::1', '2001:db8:0:0:1::2', '2001:0db8:0000:0000:ffff:ffff:ffff:ffff'];
    expect(await statuses(addresses)).toEqual([303, 303, 303]);
    expect(await statuses(['2001:db8::9', '2001:db8:0:1::1'])).toEqual([429, 303]);
    const attempts = await site.mongo.collection('attempts').find().toArray();
    expect(JSON.stringify(attempts)).not.toContain('2001');
    const indexes = await site.mongo.collection('attempts').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expireAt: 1 }, expireAfterSeconds: 0 }));
  });
});

describe('forms that are sent slowly', () => {
  it('503 for more than four at once of one network, and others are served', async () => {
    const { send } = await openForm(site, 1);
    // One may be refused for a probe below, which takes a place for a moment.
    const slow = Array.from({ length: 8 }, () => slowForm('203.0.113.1'));
    try {
      const isRefused = async () => (await send(from('203.0.113.1'))).status === 503;
      await waitFor(isRefused, { everyMs: 100, what: '503 for the fifth form' });
      expect((await send(from('203.0.113.2'))).status).toBe(303);
    } finally {
      for (const end of slow) end();
    }
  });

  /** Begins a form. Returns what breaks it off. */
  function slowForm(address: string): () => void {
    const abort = new AbortController();
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from('--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nA'));
      },
    });
    fetch(`${site.origin}/Share/Job1/apply`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', ...from(address).headers },
      body,
      duplex: 'half',
      signal: abort.signal,
    }).catch(() => undefined);
    return () => abort.abort();
  }
});
