import { describe, expect, it } from '@jest/globals';
import { HTML_SLICE, htmlVerdict, judgeInSlices } from './html.ts';

const htmlViolations = (html: string) => htmlVerdict(html).violations;

describe('htmlViolations accepts', () => {
  it.each([
    '',
    'plain text, 3 < 4 & 5 > 4, <3, a <',
    '<p>One<br>two<br/>three</p>',
    '<DIV><Strong>a</STRONG><b>b</b><em>c</em><i>d</i></DIV>',
    '<ul><li>one</li><li>two</li></ul><ol><li>three</ol>',
    '<p>unclosed <b>and </i>misnested',
    '<a href="https://example.com/?a=1&amp;b=2">x</a>',
    "<a href='mailto:a@example.com' target=_blank>x</a>",
    '<a target="_top" href=https://example.com>x</a>',
    '&lt;script&gt; &amp;#x6a;',
  ])('%j', (html) => {
    expect(htmlViolations(html)).toEqual([]);
  });
});

describe('htmlViolations refuses', () => {
  it.each([
    ['<span>x', 'html_tag', '<span>', 1, 1],
    ['a\nb <h1>', 'html_tag', '<h1>', 2, 3],
    ['a\r\nb\r<h2>', 'html_tag', '<h2>', 3, 1],
    ['x</span>', 'html_tag', '</span>', 1, 2],
    ['<script>alert(1)', 'html_tag', '<script>', 1, 1],
    ['<ScRiPt/x>', 'html_tag', '<script>', 1, 1],
    ['<svg/onload=alert(1)>', 'html_tag', '<svg>', 1, 1],
    ['<o:p>', 'html_tag', '<o:p>', 1, 1],
    ['<p class="x">', 'html_attribute', '"class"', 1, 4],
    ['<br onclick=x>', 'html_attribute', '"onclick"', 1, 5],
    ['<p href="https://example.com">', 'html_attribute', '"href"', 1, 4],
    ['<a href="https://example.com" rel="x">', 'html_attribute', '"rel"', 1, 31],
    ['<a href="https://example.com"onclick=x>', 'html_attribute', '"onclick"', 1, 30],
    ['<a href="https://a.example" HREF="javascript:x">', 'html_attribute', '"HREF" is there twice', 1, 33],
    ['<a>', 'html_attribute', 'needs an href', 1, 1],
    ['<a target="_blank">', 'html_attribute', 'needs an href', 1, 1],
    ['<a href="">', 'html_attribute', 'absolute', 1, 4],
    ['<a href="/relative">', 'html_attribute', 'absolute', 1, 4],
    ['<a href="&#x6a;avascript:alert(1)">', 'html_attribute', 'absolute', 1, 4],
    ['<a href="java&Tab;script:alert(1)">', 'html_attribute', 'white space', 1, 4],
    ['<a href="https://a.example&bsol;x">', 'html_attribute', 'one of', 1, 4],
    ['<a href="https://a.example/&lt;b&gt;">', 'html_attribute', 'one of', 1, 4],
    ['<a href="https://a.example/&ZeroWidthSpace;">', 'html_attribute', 'invisible', 1, 4],
    ['<a href="https://a&commat;b.example">', 'html_attribute', 'user information', 1, 4],
    ['<a href="https://a.example" target="frame">', 'html_attribute', 'target of <a>', 1, 29],
    ['<a href="https://a.example" target="">', 'html_attribute', 'target of <a>', 1, 29],
    ['<b>x</b class="x">', 'html_attribute', '</b>', 1, 5],
    ['<!-- x -->', 'html_syntax', 'comment', 1, 1],
    ['<!-->', 'html_syntax', 'comment', 1, 1],
    ['<!-- open', 'html_syntax', 'comment', 1, 1],
    ['<![CDATA[x]]>', 'html_syntax', 'CDATA', 1, 1],
    ['<?php x ?>', 'html_syntax', 'processing instruction', 1, 1],
    ['</ p>', 'html_syntax', 'comment', 1, 1],
    ['<!DOCTYPE html>', 'html_syntax', 'doctype', 1, 1],
    ['x</>', 'html_syntax', 'no name', 1, 4],
    ['<p', 'html_syntax', 'unfinished', 1, 3],
    ['<a href="https://example.com', 'html_syntax', 'unfinished', 1, 29],
    ['x</', 'html_syntax', 'unfinished', 1, 4],
    ['a\n<p>b</p>\r\n<br/>\r<b \n><h1>', 'html_tag', '<h1>', 5, 2],
    ['a &\n<a\n  href="https://example.com"\n rel=x>', 'html_attribute', '"rel"', 4, 2],
    ['<p></p id=x>', 'html_attribute', '</p>', 1, 4],
    ['x</><h1>', 'html_syntax', 'no name', 1, 4],
    ['<p title="> <h1>">', 'html_attribute', '"title"', 1, 4],
  ])('%j', (html, code, words, line, column) => {
    const [violation] = htmlViolations(html);
    expect(violation).toMatchObject({ pointer: '#/description', code });
    expect(violation?.detail).toContain(words);
    expect(violation?.detail).toContain(`(line ${line}, column ${column})`);
  });

  it('continues after an end tag without a name', () => {
    expect(htmlViolations('x</><p>y<h1>').map(({ code }) => code)).toEqual(['html_syntax', 'html_tag']);
  });

  it('lists every fault in order', () => {
    const found = htmlViolations('<h1 id=a>t</h1><p id=b>x<!-- y --></p>');
    expect(found.map(({ code }) => code)).toEqual(['html_tag', 'html_tag', 'html_attribute', 'html_syntax']);
  });

  it('cuts long names in its answer', () => {
    expect(htmlViolations(`<${'x'.repeat(10_000)}>`)[0]?.detail.length).toBeLessThan(120);
  });
});

describe('htmlViolations is bounded', () => {
  const size = 512 * 1024;
  const fill = (part: string): string => part.repeat(Math.ceil(size / part.length));
  const attributes = Array.from({ length: 500_000 }, (_, index) => `a${index}`).join(' ');

  it.each([
    ['faults', fill('<x>'), 51],
    ['attributes of one tag', `<p ${attributes}>`, 51],
    ['attributes of a tag that is not allowed', `<x ${attributes}>`, 1],
    ['attributes of an end tag', `</p ${attributes}>`, 51],
    ['repeated attributes', `<p ${fill('a ')}>`, 51],
    ['the name of one tag', `<${fill('a')}`, 1],
    ['nested tags', fill('<div>'), 0],
    ['misnested tags', fill('<b><p></b>'), 0],
    ['lone brackets', fill('<'), 0],
    ['one long href', `<a href="https://example.com/${fill('a')}">`, 0],
    ['attributes without an end', fill('<a href='), 51],
    ['entities', fill('&am'), 0],
  ])('with half a MiB of %s', (_what, html, count) => {
    expect(htmlViolations(html)).toHaveLength(count);
  });
});

describe('the imbalance', () => {
  it.each([
    '',
    'plain text, 3 < 4',
    '<p>One<br>two<br/>three</p><p>four',
    '<ul><li>one<li>two</ul><OL><LI>three</li></ol >',
    '<div><p>a<div>b</div></div>',
    '<ul><li>a<ul><li>b</ul><li>c</ul>',
    '<p>a<p>b<ul><li><p>c<p>d</ul>',
    '<b>a<i>b</b>c</i>',
    '<p><b>a</p><p>b</b></p>',
    '<a href="https://example.com">x</a>',
  ])('of %j is nothing', (html) => {
    expect(htmlVerdict(html).imbalance).toBeUndefined();
  });

  it.each([
    ['</div>', '</div> closes nothing'],
    ['<div></div></DIV>', '</div> closes nothing'],
    ['x</b >', '</b> closes nothing'],
    ['x</br>', '</br> closes nothing'],
    ['<p>x</p></p>', '</p> closes nothing'],
    ['x</a>', '</a> closes nothing'],
    ['<b></i></b>', '</i> closes nothing'],
    ['<b/>x', '<b> is left open'],
    ['<div><p>x', '<div> is left open'],
    ['<a href="https://example.com">x', '<a> is left open'],
    ['<p>x <strong\n>y', '<strong> is left open'],
    ['<ul><div>x</ul>', '<div> is left open'],
    ['<ul><div></ul></div>', '<div> is left open'],
    ['<ol><li>x', '<ol> is left open'],
  ])('of %j is: %s', (html, imbalance) => {
    expect(htmlVerdict(html)).toEqual({ violations: [], imbalance });
  });
});

describe('judgeInSlices', () => {
  const slices = 8;
  it.each([
    ['lone brackets', '<'],
    ['plain tags', '<p>'],
    ['links', '<a href="https://example.com/">x</a>'],
    ['tags with white space', '<p / >'],
  ])('pauses within %s, and finds what comes last', (_what, part) => {
    const html = part.repeat(Math.ceil((slices * HTML_SLICE) / part.length));
    const judged = judgeInSlices(`${html}\n<h1>`);
    let pauses = 0;
    let slice = judged.next();
    for (; !slice.done; slice = judged.next()) pauses++;
    expect(pauses).toBeGreaterThanOrEqual(slices - 1);
    const { violations } = slice.value;
    expect(violations).toMatchObject([{ code: 'html_tag' }]);
    expect(violations[0]?.detail).toContain('(line 2, column 1)');
  });

  it('pauses within one long attribute', () => {
    const judged = judgeInSlices(`<a href="https://example.com/${'&'.repeat(2 * slices * HTML_SLICE)}">`);
    expect([...judged].length).toBeGreaterThanOrEqual(slices - 1);
  });
});
