import { describe as suite, expect, it } from '@jest/globals';
import { describe, DESCRIPTION_MAX_BYTES } from './description.ts';
import { newFindings } from './findings.ts';

const text = { description: 'old', descriptionFormat: 'text' as const };
const html = { description: '<b>old</b>', descriptionFormat: 'html' as const };

suite('a text description', () => {
  it.each([
    ['plain & simple "quotes"', 'plain & simple "quotes"', false],
    ['1 < 2 > 0', '1 &lt; 2 &gt; 0', true],
    ['<b>x</b>', '&lt;b&gt;x&lt;/b&gt;', true],
    ['&lt;b&gt;', '&lt;b&gt;', false],
    ['&amp;<', '&amp;&lt;', true],
  ])('%j is stored as %j', (description, stored, warned) => {
    const findings = newFindings();
    expect(describe(text, { description }, findings)).toEqual({
      description: stored,
      descriptionFormat: 'text',
    });
    expect(findings.warnings.map(({ code, pointer }) => [code, pointer])).toEqual(
      warned ? [['html_encoded', '#/description']] : [],
    );
    expect(findings.violations).toEqual([]);
    expect(describe(text, { description: stored }, newFindings()).description).toBe(stored);
  });
});

suite('an html description', () => {
  it('is stored as it is', () => {
    const findings = newFindings();
    const sent = { description: '<p>a & b<br></p>', descriptionFormat: 'html' as const };
    expect(describe(text, sent, findings)).toEqual(sent);
    expect(findings).toMatchObject({ violations: [], warnings: [] });
  });

  it('is stored with a warning where an element is left open', () => {
    const findings = newFindings();
    expect(describe(html, { description: '<b>new' }, findings).description).toBe('<b>new');
    expect(findings).toMatchObject({
      violations: [],
      warnings: [{ code: 'html_unbalanced', pointer: '#/description' }],
    });
  });

  it('is refused where it breaks a rule, in the format that the job has already', () => {
    const findings = newFindings();
    describe(html, { description: '<h1>x</h1>' }, findings);
    expect(findings.violations.map(({ code }) => code)).toEqual(['html_tag', 'html_tag']);
  });
});

suite('a change of the format alone', () => {
  it('to text encodes the description that is there', () => {
    const findings = newFindings();
    expect(describe(html, { descriptionFormat: 'text' }, findings).description).toBe(
      '&lt;b&gt;old&lt;/b&gt;',
    );
    expect(findings.warnings).toHaveLength(1);
  });

  it('to html judges the description that is there', () => {
    const findings = newFindings();
    describe({ ...text, description: 'a<x>b' }, { descriptionFormat: 'html' }, findings);
    expect(findings.violations).toMatchObject([{ code: 'html_tag' }]);
  });

  it('to the same format changes nothing', () => {
    expect(describe(html, { descriptionFormat: 'html' }, newFindings())).toEqual(html);
  });
});

suite('a description over the limit', () => {
  it.each([
    ['text once encoded', { description: '<'.repeat(DESCRIPTION_MAX_BYTES / 4 + 1) }],
    ['text in bytes', { description: 'é'.repeat(DESCRIPTION_MAX_BYTES / 2 + 1) }],
    ['html', { description: 'x'.repeat(DESCRIPTION_MAX_BYTES + 1), descriptionFormat: 'html' as const }],
  ])('%s', (_what, body) => {
    expect(() => describe(text, body, newFindings())).toThrow(
      expect.objectContaining({ code: 'description_too_large' }),
    );
  });

  it('is accepted at the limit', () => {
    const body = { description: '<'.repeat(DESCRIPTION_MAX_BYTES / 4) };
    expect(describe(text, body, newFindings()).description).toHaveLength(DESCRIPTION_MAX_BYTES);
  });
});
