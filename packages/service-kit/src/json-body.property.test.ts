import { describe, expect, it } from '@jest/globals';
import type { ServiceError } from '@joblisting/contracts';
import * as fc from 'fast-check';
import { parseJson } from './json-body.ts';
import { pointerTo } from './violations.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const RUNS = { numRuns: 1000 };
const bytes = (text: string) => new TextEncoder().encode(text);

/** JSON as it is written: objects may name a thing twice. */
type Written = string | readonly Written[] | { readonly members: readonly (readonly [string, Written])[] };

// Few names, so that they meet.
const name = fc.oneof(
  fc.constantFrom('a', 'b', '', '__proto__', 'constructor', 'a/b', '~', '"', '\\', ':', '1', '\u00e9', '{'),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
      fc.constantFrom('0', 'null', 'true', '":"', '"{\\""'),
    ),
    fc.array(tie('written'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('written')), { maxLength: 4 }).map((members) => ({ members })),
  ),
}));
/** How each character of a name is spelled, in turn, and the white space between. */
const style = fc.record({
  escapes: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  space: fc.constantFrom('', ' ', '\n\t\r'),
});
type Style = { readonly escapes: readonly boolean[]; readonly space: string };

function print(value: Written, style: Style): string {
  const { space } = style;
  if (typeof value === 'string') return value;
  if ('members' in value) {
    const parts = value.members.map(
      ([key, inner]) => `${space}${spell(key, style)}${space}:${space}${print(inner, style)}`,
    );
    return `{${parts.join(`${space},`)}${space}}`;
  }
  return `[${value.map((inner) => print(inner, style)).join(`,${space}`)}]`;
}

function spell(key: string, { escapes }: Style): string {
  // Every second spelling of a name differs from the one before it.
  const units = Array.from({ length: key.length }, (_, at) => {
    const escaped = `\\u${key.charCodeAt(at).toString(16).padStart(4, '0')}`;
    return escapes[at % escapes.length] || /[^ -~]|["\\]/.test(key.charAt(at)) ? escaped : key.charAt(at);
  });
  return `"${units.join('')}"`;
}

/** The paths of repeated names, found in the simplest way. */
function repeatedIn(value: Written, path: readonly (string | number)[] = []): string[] {
  if (typeof value === 'string') return [];
  if (!('members' in value)) return value.flatMap((inner, at) => repeatedIn(inner, [...path, at]));
  return value.members.flatMap(([key, inner], at) => {
    const isRepeated = value.members.slice(0, at).some(([before]) => before === key);
    return [...(isRepeated ? [pointerTo(...path, key)] : []), ...repeatedIn(inner, [...path, key])];
  });
}

describe('parseJson', () => {
  it('accepts JSON without repeated names, as JSON.parse does, and lists every repeated name', () => {
    let refused = 0;
    fc.assert(
      fc.property(written, style, (value, each) => {
        const text = print(value, each);
        const expected = [...new Set(repeatedIn(value))];
        try {
          expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
          expect(expected).toEqual([]);
        } catch (error) {
          const { code, errors } = error as ServiceError;
          expect(code).toBe('malformed_json');
          expect(new Set(errors.map(({ pointer }) => pointer))).toEqual(new Set(expected));
          refused++;
        }
      }),
      RUNS,
    );
    expect(refused).toBeGreaterThan(50);
  });

  it('gives a value or malformed_json for any bytes', () => {
    const nearly = fc
      .string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'u0061', '0', ' ', 'null') })
      .map(bytes);
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), nearly), (each) => {
        try {
          parseJson(each);
        } catch (error) {
          expect((error as ServiceError).code).toBe('malformed_json');
        }
      }),
      RUNS,
    );
  });
});

describe('pointerTo', () => {
  it('leads back to the names that it was made of', () => {
    const token = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
    fc.assert(
      fc.property(fc.array(token), (tokens) => {
        const pointer = pointerTo(...tokens);
        expect(pointer).toMatch(/^#(?:\/(?:[\w.!~*'()-]|%[0-9A-F]{2})*)*$/);
        const read = decodeURIComponent(pointer.slice(1)).split('/').slice(1);
        expect(read.map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'))).toEqual(tokens);
      }),
    );
  });
});
