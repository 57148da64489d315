import { describe, expect, it } from '@jest/globals';
import { decodeHtml, decodeText, oneLine } from './values.ts';

describe('decodeText', () => {
  it.each([
    ['Registered A&amp;E Nurse', 'Registered A&E Nurse'],
    ['St Leonard&#39;s on Sea', "St Leonard's on Sea"],
    ['a &amp;amp; b', 'a &amp; b'],
    ['Arts & Crafts, R&D, AT&T', 'Arts & Crafts, R&D, AT&T'],
    ['&copy &notit;', '&copy &notit;'],
    [7, 7],
    [undefined, undefined],
  ])('decodes %j once to %j', (text, decoded) => {
    expect(decodeText(text)).toBe(decoded);
  });
});

describe('decodeHtml', () => {
  it.each([
    ['&lt;p&gt;A&amp;E &amp;lt; B&lt;/p&gt;', '<p>A&E &lt; B</p>'],
    ['&lt;p style=&quot;x&quot;&gt;y', '<p style="x">y'],
    ['5 < 6 &amp; 7', '5 < 6 & 7'],
    ['<p>Learn &lt;b&gt; &amp; more</p>', '<p>Learn &lt;b&gt; &amp; more</p>'],
    [null, null],
  ])('decodes %j to %j', (html, decoded) => {
    expect(decodeHtml(html)).toBe(decoded);
  });
});

describe('oneLine', () => {
  it.each([
    ['Software Engineer\t', 'Software Engineer'],
    ['Nurse,\r\nnights', 'Nurse, nights'],
    [' as it is ', ' as it is '],
    ['\u001b[2J', '\u001b[2J'],
    [undefined, undefined],
  ])('makes of %j %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });
});
