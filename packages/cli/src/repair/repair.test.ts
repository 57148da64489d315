import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { repairHtml } from './repair.ts';

function repaired(source: string): [html: string, changes: Record<string, number>] {
  const { html, changes } = repairHtml(source);
  return [html, Object.fromEntries(changes)];
}

describe('repairHtml', () => {
  it.each([
    '',
    'plain text, R&D, 5 < 6 > 4, a <3 b &lt;span&gt;',
    '<p>One<br>two<br/>three</P>\n<ul><li>x</ul> <strong>b</strong><em>e</em>',
    '<div><p>unclosed <b>bold',
    'a stray </a>',
    '<a href="https://example.com/?a=1&amp;b=2" target="_blank">link</a>',
    '<a href="mailto:jobs@example.com">mail</a>',
    '<p>\r\nline ends stay\r\n</p>',
  ])('does not change %j', (source) => {
    expect(repaired(source)).toEqual([source, {}]);
  });

  it.each<[source: string, html: string, changes: Record<string, number>]>([
    ['<h1>Role</h1>', '<p><strong>Role</strong></p>', { 'h1 → p, strong': 1 }],
    ['<p><span>a</span><SPAN>b</SPAN></p>', '<p>ab</p>', { 'span → unwrapped': 2 }],
    [
      '<p style="color:red" class=x>a</p>',
      '<p>a</p>',
      { 'style of p → dropped': 1, 'class of p → dropped': 1 },
    ],
    ['<br clear="all">', '<br>', { 'clear of br → dropped': 1 }],
    [
      '<table><tr><td>a</td><td>b</td></tr></table>',
      '<div><div>a b </div></div>',
      {
        'table → div': 1,
        'tr → div': 1,
        'td → unwrapped': 2,
      },
    ],
    ['a<script>if (x<b) "</p>"</script>b', 'ab', { 'script → removed with its content': 1 }],
    ['a<style>p{}', 'a', { 'style → removed with its content': 1 }],
    ['<svg><svg><p>x</p></svg></svg>y<svg/>z', 'yz', { 'svg → removed with its content': 2 }],
    ['<object>kept', 'kept', { 'object → removed with its content': 1 }],
    ['a<!-- c -->b<?php x ?>c<![CDATA[x]]>d', 'abcd', { 'comment → removed': 3 }],
    ['<!doctype html>a</>b', 'ab', { 'comment → removed': 1, '</> → removed': 1 }],
    ['5 <span>b>6', '5 b>6', { 'span → unwrapped': 1 }],
    ['5 <<span>b>6', '5 &lt;b>6', { 'span → unwrapped': 1 }],
    ['end <a href="x <p> y', 'end &lt;a href="x &lt;p> y', { 'unfinished tag → text': 1 }],
    ['end </', 'end &lt;/', { 'unfinished tag → text': 1 }],
    ['<hr>', '<br>', { 'hr → br': 1 }],
    ['</p class="x">', '</p>', { 'class of p → dropped': 1 }],
  ])('turns %j into %j', (source, html, changes) => {
    expect(repaired(source)).toEqual([html, changes]);
  });

  it.each<[source: string, html: string]>([
    [
      '<a href="https://e.example" rel="x" target="_blank">a</a>',
      '<a href="https://e.example" target="_blank">a</a>',
    ],
    ['<a href=" https://e.example/ ">a</a>', '<a href="https://e.example/">a</a>'],
    ['<a href="https://e.example" target="frame">a</a>', '<a href="https://e.example">a</a>'],
    ['<a href="https://e.example" href="https://f.example">a</a>', '<a href="https://e.example">a</a>'],
    ['<a name="top">a</a><a href="/jobs">b</a>', 'ab'],
    ['<a href="javascript:alert(1)">a</a>', 'a'],
    ['<a href="java&#10;script:alert(1)">a</a>', 'a'],
    ['<a href="https://user:pass@e.example">a</a>', 'a'],
    ['<a href="https:\\\\e.example">a</a>', 'a'],
    ['<a href="https:e.example">a</a>', 'a'],
    ['<a href="https://e.example">a</a id="x">', '<a href="https://e.example">a</a>'],
  ])('turns the link %j into %j', (source, html) => {
    expect(repairHtml(source).html).toBe(html);
  });

  it('leaves nothing to repair in any input', () => {
    const tag = fc.constantFrom('p', 'span', 'h1', 'a', 'script', 'svg', 'td', 'li', 'br', 'title');
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '<!--',
        '-->',
        '"',
        "'",
        '=',
        '/',
        ' ',
        '&lt;',
        '</>',
        '<!',
        '\r\n',
        'b>',
      ),
      fc.string({ maxLength: 4 }),
      tag.map((name) => `<${name}>`),
      tag.map((name) => `</${name}>`),
      tag.map((name) => `<${name} style="x" href="https://e.example" href=2>`),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { html } = repairHtml(pieces.join(''));
        expect(repaired(html)).toEqual([html, {}]);
      }),
      { numRuns: 2000 },
    );
  });
});
