import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createJob, getJob } from '@joblisting/contracts';
import { findBrowser, freePort, openBrowser, type Page, waitFor } from '@joblisting/testing';
import { job } from '../src/routes/examples.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { consumerKey, userKey } from './support/stand-ins.ts';

/** A browser is slow while everything else runs beside it. */
const SLOW_BROWSER_MS = 120_000;

const browser = findBrowser();

// Not every machine has a browser; CI brings one.
(browser === undefined ? describe.skip : describe)('the docs in a browser', () => {
  let gateway: TestGateway;
  let page: Page;
  const count = (selector: string) => page.run<number>(`document.querySelectorAll('${selector}').length`);
  const click = async (selector: string) => {
    await waitFor(() => count(selector), { what: selector });
    await page.run(`document.querySelector('${selector}').click()`);
  };
  const keyFields = '#reference input[autocomplete="off"]';
  const typedKeys = () =>
    page.run<string[]>(`[...document.querySelectorAll('${keyFields}')].map(({ value }) => value)`);
  // Vue notices a value only through an event.
  const fill = (index: number, value: string) =>
    page.run(`{
      const input = document.querySelectorAll('${keyFields}')[${index}];
      input.value = '${value}';
      for (const type of ['input', 'change', 'blur']) input.dispatchEvent(new Event(type, { bubbles: true }));
    }`);
  const openReference = async () => {
    await page.open(`${gateway.origin}/docs/reference`);
    await waitFor(async () => (await count('#content')) === 0, { what: 'the script', limitMs: 20_000 });
  };
  const openKeys = async () => {
    await openReference();
    await waitFor(() => count(keyFields), { what: 'the fields of the keys' });
  };
  const send = async (method: string, path: string) => {
    // Another page would forget the keys.
    await page.run(`location.hash = 'tag/jobs/${method.toUpperCase()}${path}'`);
    await click(`[id="api-1/tag/jobs/${method.toUpperCase()}${path}"] .show-api-client-button`);
    const button = `[...document.querySelectorAll('[role=dialog] button')].find((each) => /^Send/.test(each.innerText))`;
    await waitFor(() => page.run<boolean>(`${button} !== undefined`), { what: 'the button to send' });
    await page.run(`${button}.click()`);
    const text = () => page.run<string>(`document.querySelector('[role=dialog]').innerText`);
    await waitFor(async () => /\b[2-5]\d\d [A-Z]/.test(await text()), {
      what: 'the answer',
      limitMs: 20_000,
    });
    return text();
  };

  beforeAll(async () => {
    const port = await freePort();
    gateway = await startGateway({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
    await gateway.standIn(getJob, async () => ({ version: 1, data: job }));
    await gateway.standIn(createJob, async () => ({
      outcome: 'created',
      id: job.id,
      version: 1,
      data: job,
    }));
    page = await openBrowser(browser ?? '');
  });
  afterAll(async () => {
    await page.close();
    await gateway.stop();
  });

  it('show the operations, and load nothing from elsewhere', async () => {
    await openReference();
    const text = () => page.run<string>(`document.getElementById('reference').textContent`);
    for (const summary of ['Create a job', 'Read one job', 'Applications', 'Metrics']) {
      await waitFor(async () => (await text()).includes(summary), { what: summary });
    }
  });

  it(
    'send requests with the keys that were typed in, and forget them with the page',
    async () => {
      await openKeys();
      await fill(0, consumerKey);
      await fill(1, userKey);
      expect(await typedKeys()).toEqual([consumerKey, userKey]);
      expect(await send('get', '/jobs/{id}')).toContain('200 OK');
      await click('[role=dialog] button.app-exit-button');
      expect(await send('post', '/jobs')).toContain('201 Created');
      const stored = await page.run<string>(
        'JSON.stringify([localStorage, sessionStorage]) + document.cookie',
      );
      expect(stored).not.toMatch(/jl[cu]_/);
      await openKeys();
      expect(await typedKeys()).toEqual(['', '']);
    },
    SLOW_BROWSER_MS,
  );

  it('show the examples of one language at a time', async () => {
    const shown = () =>
      page.run<string[]>(
        `[...new Set([...document.querySelectorAll('.example')].filter((each) => each.checkVisibility()).map((each) => each.className))]`,
      );
    await page.open(`${gateway.origin}/docs/sync`);
    expect(await shown()).toEqual(['example bash']);
    await page.run(`document.getElementById('choose-python').click()`);
    expect(await shown()).toEqual(['example python']);
  });

  it('lead from an error to its explanation', async () => {
    await page.open(`${gateway.origin}/docs/errors#job_not_found`);
    const shown = await page.run<string>(`document.querySelector('section:target').innerText`);
    expect(shown).toContain('job_not_found');
    expect(shown).toContain('404');
  });

  it('fit a narrow screen', async () => {
    await page.open('about:blank');
    await page.resize(390, 844);
    for (const path of [
      '/',
      '/docs',
      '/docs/errors',
      '/docs/quickstart',
      '/docs/retries',
      '/docs/versions',
    ]) {
      await page.open(gateway.origin + path);
      expect([path, await page.run<number>('document.documentElement.scrollWidth')]).toEqual([path, 390]);
    }
    await openReference();
    expect(await page.run<number>('document.documentElement.scrollWidth')).toBe(390);
  });

  it('have nothing to complain of', () => {
    const isLocal = (url: string) => /^(data:|blob:|about:)/.test(url) || url.startsWith(gateway.origin);
    expect(page.requests.filter((url) => !isLocal(url))).toEqual([]);
    expect(page.complaints.filter((text) => !text.includes('favicon.ico'))).toEqual([]);
  });
});
