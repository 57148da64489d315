import { countryByCode, provinceByCode } from '@joblisting/geo';
import { describe, expect, it } from '@jest/globals';
import { newFindings } from './findings.ts';
import { resolveProvince } from './province.ts';

const california = provinceByCode('US-CA');
const states = countryByCode('US');
const id = california?.id ?? 0;

describe('resolveProvince', () => {
  it.each([
    ['an id', { id }],
    ['an id with its country', { id, country: { id: 840 } }],
    ['what a GET shows', { id, name: 'whatever', country: { id: 840, name: 'whatever' } }],
  ])('takes %s', (_what, sent) => {
    const findings = newFindings();
    expect(resolveProvince(sent, findings)).toEqual(california);
    expect(findings.violations).toEqual([]);
  });

  it.each([
    ['a country alone', { country: { id: 840 } }],
    ['a null id', { id: null, name: null, country: { id: 840 } }],
  ])('takes %s as nation-wide', (_what, sent) => {
    const findings = newFindings();
    expect(resolveProvince(sent, findings)).toEqual({ id: null, name: null, country: states });
    expect(findings.violations).toEqual([]);
  });

  it.each([
    ['an unknown id', { id: 1 }, '#/province/id', 'unknown_id'],
    ["another country's id", { id, country: { id: 124 } }, '#/province/country/id', 'mismatch'],
    ['an unknown country', { country: { id: 1 } }, '#/province/country/id', 'unknown_id'],
    ['an unknown country beside the id', { id, country: { id: 1 } }, '#/province/country/id', 'mismatch'],
    ['no id at all', {}, '#/province', 'required'],
    ['a null id alone', { id: null }, '#/province', 'required'],
  ])('refuses %s', (_what, sent, pointer, code) => {
    const findings = newFindings();
    resolveProvince(sent, findings);
    expect(findings.violations).toMatchObject([{ pointer, code }]);
  });
});
