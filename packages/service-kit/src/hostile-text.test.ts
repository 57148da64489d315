import { describe, expect, it } from '@jest/globals';
import * as contracts from '@joblisting/contracts';
import type { Operation } from '@joblisting/contracts';
import { compileBody, compileParams } from './shape.ts';

const SIZE = 2 * 1024 * 1024;
const FREEZE_MS = 1000;

/** 4 MiB each, in what JavaScript makes of them: UTF-16. */
const hostileTexts = {
  'combining marks': 'a' + '\u0300\u0323'.repeat(SIZE / 2),
  'lone surrogates': '\ud800'.repeat(SIZE),
  'percent signs': `https://a.example/${'%'.repeat(SIZE)}`,
  'nested tags': '<b>'.repeat(SIZE / 3),
  'a long host': `https://${'a.'.repeat(SIZE / 2)}example/`,
  'a long e-mail address': `a@${'a-'.repeat(SIZE / 2)}`,
  'a long date': `2026-11-20T12:00:00.${'0'.repeat(SIZE)}Z`,
};

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly else?: Shape;
}

/** One value for each text field of the schema, all else left out. */
function valuesWith(text: string, shape: Shape): unknown[] {
  if ([shape.type].flat().includes('string')) return [text];
  const inItems = shape.items ? valuesWith(text, shape.items).map((value) => [value]) : [];
  const inProperties = Object.entries({ ...shape.properties, ...shape.else?.properties }).flatMap(
    ([name, inner]) => valuesWith(text, inner).map((value) => ({ [name]: value })),
  );
  return [...inItems, ...inProperties];
}

const operations = Object.values<unknown>(contracts).filter(
  (value): value is Operation => typeof value === 'object' && value !== null && 'reply' in value,
);
const millisecondsOf = (work: () => unknown) => {
  const since = performance.now();
  work();
  return performance.now() - since;
};

describe.each(Object.entries(hostileTexts))('4 MiB of %s', (_name, text) => {
  it.each(operations.map((operation) => [operation.subject, operation] as const))(
    'do not freeze the check of any text field of %s',
    (_subject, { params, body }) => {
      const checkParams = compileParams(params);
      const checkBody = body && compileBody(body).check;
      const times = [
        ...valuesWith(text, params).map((value) => millisecondsOf(() => checkParams(value))),
        ...(checkBody ? valuesWith(text, body) : []).map((value) => millisecondsOf(() => checkBody?.(value))),
      ];
      expect(times.filter((ms) => ms > FREEZE_MS)).toEqual([]);
    },
  );
});

describe('the walk over the contracts', () => {
  it('reaches the text fields of a job', () => {
    const fields = valuesWith('x', contracts.createJob.body as Shape);
    expect(fields).toEqual(
      expect.arrayContaining([
        { title: 'x' },
        { description: 'x' },
        { categories: [{ name: 'x' }] },
        { applicationEmails: ['x'] },
        { applicationUrl: 'x' },
      ]),
    );
    expect(operations.length).toBeGreaterThan(20);
  });
});
