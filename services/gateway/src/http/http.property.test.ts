import { describe, expect, it } from '@jest/globals';
import { INT32_MAX, ServiceError } from '@joblisting/contracts';
import * as fc from 'fast-check';
import { Type } from 'typebox';
import { noneMatchHits } from '@joblisting/service-kit/http';
import { entityTag, readIfMatch } from './etag.ts';
import { withLinks } from './envelope.ts';
import { JSON_TYPE, mediaTypeOf, PROBLEM_TYPE } from './headers.ts';
import { parameterReader } from './parameters.ts';
import { errorTypeFor } from './problem.ts';
import { formatQuery, parseQuery } from './query.ts';
import { continueTrace } from './request-state.ts';
import { originForm, pathOf } from './rewrite.ts';
import { readTraceparent } from '@joblisting/service-kit';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const any = fc.string({ unit: 'binary' });
const hostile = fc.oneof(
  any,
  fc.string({
    unit: fc.constantFrom('"', 'W/', '*', ',', ' ', '%', '&', '=', '+', ';', '/', '?', '#', '0', '-', 'a'),
  }),
);
const wellFormed = any.map((text) => text.toWellFormed());
const entry = fc.record({ name: wellFormed, value: wellFormed });

describe('a query', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(parseQuery(formatQuery(entries))).toEqual(entries);
      }),
    );
  });

  it('of anything is read, and written so that it means the same', () => {
    fc.assert(
      fc.property(hostile, (query) => {
        const entries = parseQuery(query).filter(({ value }) => value !== undefined);
        expect(parseQuery(formatQuery(entries))).toEqual(entries);
      }),
    );
  });
});

describe('a path', () => {
  it('has no query, no fragment and no origin', () => {
    fc.assert(
      fc.property(hostile, (target) => {
        expect(pathOf(target)).not.toMatch(/[?#]/);
        expect(originForm(`http://host${target.replace(/^[^/?#]*/, '')}`)).not.toMatch(/^http:/);
      }),
    );
  });
});

describe('links of a page', () => {
  it('lead to its neighbours and keep every other parameter', () => {
    const address = 'https://jobs.example.com/v1.0/jobs';
    const others = fc.array(entry.filter(({ name }) => name !== 'page'));
    const number = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(
        others,
        number,
        fc.integer({ min: 0, max: 50 }),
        fc.boolean(),
        (query, page, pages, isSent) => {
          const sent = isSent ? [{ name: 'page', value: String(page) }, ...query] : query;
          const { previous, next } = withLinks({ total: pages, pageSize: 1, page, pages }, address, sent);
          expect([previous === null, next === null]).toEqual([page === 1 || pages === 0, page >= pages]);
          for (const [link, to] of [
            [previous, Math.min(page - 1, pages)],
            [next, page + 1],
          ] as const) {
            if (link === null) continue;
            expect(URL.canParse(link) && link.startsWith(`${address}?`)).toBe(true);
            const read = parseQuery(link.slice(address.length + 1));
            expect(read.filter(({ name }) => name === 'page')).toEqual([{ name: 'page', value: String(to) }]);
            expect(read.filter(({ name }) => name !== 'page')).toEqual(query);
          }
        },
      ),
    );
  });
});

describe('an ETag', () => {
  const tag = fc
    .tuple(fc.nat(1e9), fc.uint8Array())
    .map(([version, data]) => ({ version, text: entityTag(version, data) }));

  it('is found in any list that it is in, and by If-Match with its version', () => {
    fc.assert(
      fc.property(fc.array(tag), tag, fc.array(tag), fc.boolean(), (before, one, after, isWeak) => {
        const { version, text } = one;
        const tags = [...before, one, ...after];
        const list = tags.map((each) => each.text).join(isWeak ? ' , ' : ',');
        expect(noneMatchHits(isWeak ? list.replace(text, `W/${text}`) : list, text)).toBe(true);
        expect(noneMatchHits(list, entityTag(version, Buffer.from('another')))).toBe(false);
        expect(readIfMatch(list)?.versions).toEqual(tags.map((each) => each.version));
      }),
    );
  });

  it('in any header makes a list or one refusal', () => {
    fc.assert(
      fc.property(hostile, (header) => {
        expect(typeof noneMatchHits(header, '"1-a"')).toBe('boolean');
        try {
          const { any: isAny, versions } = readIfMatch(header) ?? {};
          expect(isAny === true || Array.isArray(versions)).toBe(true);
        } catch (error) {
          expect((error as ServiceError).code).toBe('invalid_header');
        }
      }),
    );
  });
});

describe('parameters', () => {
  const schema = Type.Object({
    id: Type.Integer({ minimum: -5, maximum: INT32_MAX }),
    status: Type.Optional(Type.Unsafe({ type: 'integer', enum: [1, 2, 3, 5] })),
    text: Type.Optional(Type.String()),
  });
  const read = parameterReader(schema, ['id', 'status', 'text']);
  const value = fc.oneof(
    hostile,
    fc.integer().map(String),
    fc.constantFrom('1', '-0', '1e3', '01', '2147483648'),
  );
  const sent = fc.array(
    fc.record({
      name: fc.oneof(fc.constantFrom('id', 'status', 'text', 'ID', '__proto__', 'constructor'), any),
      value: fc.option(value, { nil: undefined }),
    }),
  );

  it('of anything are values that fit, or violations that name them', () => {
    fc.assert(
      fc.property(sent, (query) => {
        const { values, violations, warnings } = read({}, query);
        const { id, status, text, ...rest } = values;
        expect(rest).toEqual({});
        expect(
          id === undefined || (Number.isInteger(id) && Number(id) >= -5 && Number(id) <= INT32_MAX),
        ).toBe(true);
        expect(status === undefined || [1, 2, 3, 5].includes(Number(status))).toBe(true);
        expect(['undefined', 'string']).toContain(typeof text);
        for (const { parameter } of violations) expect(['id', 'status', 'text']).toContain(parameter);
        for (const { parameter } of warnings) expect(['id', 'status', 'text']).not.toContain(parameter);
        if (id === undefined) expect(violations.map(({ parameter }) => parameter)).toContain('id');
      }),
    );
  });
});

describe('headers of anything', () => {
  it('are read without a fault', () => {
    fc.assert(
      fc.property(hostile, (header) => {
        expect([JSON_TYPE, PROBLEM_TYPE]).toContain(errorTypeFor(header));
        expect(['undefined', 'string']).toContain(typeof mediaTypeOf(header));
        expect(continueTrace(readTraceparent(header))).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/);
      }),
    );
  });
});
