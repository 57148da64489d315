import { describe, expect, it } from '@jest/globals';
import * as contracts from '@joblisting/contracts';
import type { Operation, Violation } from '@joblisting/contracts';
import { type TextField, textFieldsOf, type TextSchema, withText, worstTexts } from '@joblisting/testing';
import { compileBody, compileParams } from './shape.ts';

const BYTES = 4 * 1024 * 1024;
const FREEZE_MS = 1000;

const operations = Object.values<unknown>(contracts).filter(
  (value): value is Operation => typeof value === 'object' && value !== null && 'reply' in value,
);

/** True for a field without a limit of length, a set of values or a pattern. */
const takesAnyLength = ({ schema }: TextField): boolean =>
  schema.maxLength === undefined &&
  schema.enum === undefined &&
  schema.pattern === undefined &&
  [undefined, 'multiline-text'].includes(schema.format);

/** CPU time, which other processes do not disturb. */
const timed = (work: () => readonly Violation[]) => {
  const before = process.cpuUsage();
  const violations = work();
  return { violations, ms: process.cpuUsage(before).user / 1000 };
};

describe.each(Object.entries(worstTexts))('4 MiB of %s', (_name, makeText) => {
  const text = makeText(BYTES);

  it.each(operations.map((operation) => [operation.subject, operation] as const))(
    'do not freeze the check of any text field of %s',
    (_subject, { params, body }) => {
      const parts = [
        { schema: params, check: compileParams(params) },
        ...(body ? [{ schema: body, check: compileBody(body).check }] : []),
      ];
      for (const { schema, check } of parts) {
        for (const field of textFieldsOf(schema)) {
          const value = withText(undefined, field.path, text);
          const { violations, ms } = timed(() => check(value));
          const places = violations.map(({ pointer, parameter }) => pointer?.slice(2) ?? parameter);
          const isRefused = places.includes(field.path.join('/'));
          const isWanted =
            !takesAnyLength(field) || (field.schema.format !== undefined && !text.isWellFormed());
          expect([field.path, isRefused]).toEqual([field.path, isWanted]);
          expect(ms).toBeLessThan(FREEZE_MS);
        }
      }
    },
  );
});

describe('the walk over the contracts', () => {
  it('reaches the text fields of a job', () => {
    const paths = textFieldsOf(contracts.createJob.body as TextSchema).map(({ path }) => path.join('/'));
    expect(paths).toEqual(
      expect.arrayContaining([
        'title',
        'description',
        'categories/0/name',
        'applicationEmails/0',
        'applicationUrl',
      ]),
    );
    expect(operations.length).toBeGreaterThan(20);
  });
});
