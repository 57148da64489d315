import { describe, expect, it } from '@jest/globals';
import { plainTextOf, safeMarkup } from './markup.ts';

describe('safeMarkup', () => {
  it.each([
    ['keeps what is allowed', '<p>a <b>b</b><br>c</p>', '<p>a <b>b</b><br>c</p>'],
    ['closes what is open', '<div><ul><li><b>a', '<div><ul><li><b>a</b></li></ul></div>'],
    ['drops ends of nothing', '</div></p></b>a', 'a'],
    ['drops other tags and all attributes', '<h1 onclick=x>a</h1><p style="x">b</p>', 'a<p>b</p>'],
    ['drops comments and scripts', '<!--x-->a<script>b</script>', 'ab'],
    ['closes a paragraph before a block', '<p>a<ul><li>b</ul>', '<p>a</p><ul><li>b</li></ul>'],
    ['ends an item at the next', '<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['keeps lists within items', '<ol><li>a<ul><li>b</ol>c', '<ol><li>a<ul><li>b</li></ul></li></ol>c'],
    ['shows an item without a list as a paragraph', '<li>a</li>b', '<p>a</p>b'],
    ['gives an item to what is none', '<ul>a<p>b</p></ul>', '<ul><li>a<p>b</p></li></ul>'],
    ['splits bold text at blocks', '<b><p>a</p>b</b>', '<p><b>a</b></p><b>b</b>'],
    ['untangles tags', '<b>a<i>b</b>c</i>', '<b>a<i>b</i></b><i>c</i>'],
    ['escapes text', 'a &lt;b&gt; & "c"', 'a &lt;b&gt; &amp; &quot;c&quot;'],
  ])('%s', (_what, html, expected) => expect(safeMarkup(html)).toBe(expected));

  it('marks links to other sites', () => {
    expect(safeMarkup('<a href="https://example.com/?a=1&amp;b=&quot;" target="_blank">x</a>')).toBe(
      '<a href="https://example.com/?a=1&amp;b=&quot;" rel="nofollow noopener noreferrer ugc">x</a>',
    );
    expect(safeMarkup('<a href="mailto:a@example.com">x</a>')).toBe('<a href="mailto:a@example.com">x</a>');
  });

  it.each(['javascript:alert(1)', ' javascript:alert(1)', '//example.com', 'data:text/html,x'])(
    'makes no link to %s',
    (href) => expect(safeMarkup(`<a href="${href}">x</a>`)).toBe('x'),
  );

  it('does not take a tag from within an attribute', () => {
    expect(safeMarkup('<a href="https://x/<a onclick=y>">x</a>')).toBe(
      '<a href="https://x/&lt;a onclick=y&gt;" rel="nofollow noopener noreferrer ugc">x</a>',
    );
  });

  it.each(['<div>', '<ul>', '<ul><li>', '<b>', '<p>', '<b><p>'])(
    'takes little time for %s 100,000 times',
    (tag) => {
      const startedAt = performance.now();
      const html = tag.repeat(100_000);
      safeMarkup(`${html}a`);
      expect(plainTextOf(`${html}a`)).toMatch(/a$/);
      expect(performance.now() - startedAt).toBeLessThan(5000);
    },
  );
});

describe('plainTextOf', () => {
  it.each([
    ['separates blocks and lines', '<p>a</p><p>b<br>c</p>d', 'a b c d'],
    ['decodes entities and folds white space', 'a&amp;b \n c', 'a&b c'],
    ['keeps words with a bold part whole', '<b>a</b>b, <i>c</i>.', 'ab, c.'],
    ['shows where an item of a list begins', 'a:<ul><li>b</li><li>c</li></ul>', 'a: • b • c'],
  ])('%s', (_what, html, text) => expect(plainTextOf(html)).toBe(text));
});
