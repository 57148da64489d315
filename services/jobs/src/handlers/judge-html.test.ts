import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { HTML_SLICE } from '../domain/html.ts';
import { htmlJudge } from './judge-html.ts';

const long = `${'<p>'.repeat(4 * HTML_SLICE)}<h1>`;
const soon = () => Date.now() + 60_000;

describe('htmlJudge', () => {
  it.each([
    ['short', '<p><h1>'],
    ['long', long],
  ])('finds what is wrong with a %s description', async (_what, html) => {
    await expect(htmlJudge()(html, soon())).resolves.toMatchObject({
      violations: [{ code: 'html_tag' }],
    });
  });

  it('lets other work through, and judges one long description after the other', async () => {
    const judge = htmlJudge();
    const seen: string[] = [];
    const judged = ['first', 'second'].map((name) => judge(long, soon()).then(() => seen.push(name)));
    const other = setImmediate().then(() => seen.push('other work'));
    await Promise.all([...judged, other]);
    expect(seen).toEqual(['other work', 'first', 'second']);
  });

  it('refuses a long one for which there is no time', async () => {
    await expect(htmlJudge()(long, Date.now())).rejects.toMatchObject({ code: 'overloaded' });
  });
});
