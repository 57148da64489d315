import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createJob, getJob } from '@joblisting/contracts';
import { freePort, waitFor } from '@joblisting/testing';
import { job } from '../src/routes/examples.ts';
import { findBrowser, openBrowser, type Page } from './support/browser.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { consumerKey, userKey } from './support/stand-ins.ts';

/** A browser is slow while everything else runs beside it. */
const SLOW_BROWSER_MS = 120_000;

let gateway: TestGateway;
const browser = findBrowser();

beforeAll(async () => {
  const port = await freePort();
  gateway = await startGateway({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  await gateway.standIn(getJob, async () => ({ version: 1, data: job }));
  await gateway.standIn(createJob, async () => ({ outcome: 'created', id: job.id, version: 1, data: job }));
});
afterAll(() => gateway.stop());

describe('GET /docs', () => {
  it.each(['/docs', '/docs/', '/docs/static/swagger-ui.css', '/docs/static/swagger-ui-bundle.js'])(
    '%s is served from here',
    async (path) => {
      const response = await fetch(gateway.origin + path);
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
      if (path.startsWith('/docs/static')) return;
      expect(text).not.toMatch(/(src|href)="https?:/);
    },
  );

  it.each(['/docs/static/../../package.json', '/docs/static/%2e%2e/package.json', '/docs/static/nothing'])(
    '%s is not there',
    async (path) => {
      expect((await fetch(gateway.origin + path)).status).toBe(404);
    },
  );
});

// Not every machine has a browser; CI brings one.
(browser === undefined ? describe.skip : describe)('the page in a browser', () => {
  let page: Page;
  const count = (selector: string) => page.run<number>(`document.querySelectorAll('${selector}').length`);
  const click = async (selector: string) => {
    await waitFor(() => count(selector), { what: selector });
    await page.run(`document.querySelector('${selector}').click()`);
  };
  // React notices a value only through the element's own setter and an event.
  const fill = (selector: string, value: string) =>
    page.run(`{
      const input = document.querySelector('${selector}');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${value}');
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
  const authorize = async (scheme: string, value: string) => {
    const input = `input[aria-label="auth-${scheme}-value"], #api_key_value_${scheme}, #api_key_value`;
    await waitFor(() => count(input), { what: input });
    await fill(input, value);
    const section = '.auth-container:has(button[type="submit"])';
    await click(`${section} button[type="submit"]`);
  };
  const execute = async (operation: string) => {
    await click(`#operations-Jobs-${operation} .opblock-summary-control`);
    await click(`#operations-Jobs-${operation} .try-out__btn`);
    await click(`#operations-Jobs-${operation} .execute`);
    const code = `#operations-Jobs-${operation} .live-responses-table .response-col_status`;
    await waitFor(() => count(code), { what: `the answer of ${operation}` });
    return page.run<string>(
      `document.querySelector('#operations-Jobs-${operation} .live-responses-table .response .response-col_status').innerText`,
    );
  };

  beforeAll(async () => {
    page = await openBrowser(browser ?? '');
    await page.open(`${gateway.origin}/docs`);
    await waitFor(() => count('.opblock'), { what: 'the operations', limitMs: 20_000 });
  });
  afterAll(() => page.close());

  it('shows every operation, and loads nothing from elsewhere', async () => {
    expect(await count('.opblock')).toBe(24);
    expect(
      page.requests.filter((url) => !url.startsWith(gateway.origin) && !url.startsWith('data:')),
    ).toEqual([]);
  });

  it(
    'sends requests with the keys that were typed in, and keeps them over a reload',
    async () => {
      await click('.btn.authorize');
      await authorize('consumerKey', consumerKey);
      await authorize('userKey', userKey);
      await click('.btn-done');
      expect(await execute('getJob')).toContain('200');
      expect(await execute('createJob')).toContain('201');
      await page.open(`${gateway.origin}/docs/`);
      await waitFor(() => count('.btn.authorize.locked, .authorization__btn.locked'), { what: 'kept keys' });
      expect(await execute('getJob')).toContain('200');
    },
    SLOW_BROWSER_MS,
  );

  it('leads from an error to its explanation', async () => {
    await page.open(`${gateway.origin}/docs/errors#job_not_found`);
    const shown = await page.run<string>(`document.querySelector('section:target').innerText`);
    expect(shown).toContain('job_not_found');
    expect(shown).toContain('404');
  });

  it('has nothing to complain of', () => {
    expect(page.complaints.filter((text) => !text.includes('favicon.ico'))).toEqual([]);
  });
});
