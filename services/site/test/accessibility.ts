import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@joblisting/testing';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Widths and colour schemes that pages are tried in. */
export const looks = [320, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => [width, scheme] as const),
);

/** What axe-core finds wrong with the page that is open, and whether it is wider than the screen. */
export async function problemsOf(page: Page): Promise<unknown[]> {
  await page.run(axe);
  const findings = await page.run<unknown[]>(
    `axe.run({ runOnly: ${JSON.stringify(tags)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, any }) => html + (any[0]?.message ?? '')) })))`,
  );
  const isWide = await page.run<boolean>('document.documentElement.scrollWidth > screen.width');
  return isWide ? [...findings, 'wider than the screen'] : findings;
}
