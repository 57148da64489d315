import { LISTED_AT_MOST, type Violation, type Warning } from '@joblisting/contracts';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { formats } from './formats.ts';
import { pointerTo, toViolations } from './violations.ts';

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  coerceTypes: false,
  // The compiler has checked the schemas; ajv's meta-schema uses formats that are not ours.
  validateSchema: false,
});

// These replace ajv's own keywords. Its length keywords count every character, even of a text that is far too long. Its
// `format` also checks a text that `maxLength` has refused, which can take seconds. A character has one or two code
// units.
for (const keyword of ['minLength', 'maxLength', 'format']) ajv.removeKeyword(keyword);
ajv.addKeyword({
  keyword: 'minLength',
  type: 'string',
  compile: (min: number) => (text: string) => text.length >= 2 * min || Array.from(text).length >= min,
});
ajv.addKeyword({
  keyword: 'maxLength',
  type: 'string',
  compile: (max: number) => (text: string) =>
    text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max),
});
ajv.addKeyword({
  keyword: 'format',
  type: 'string',
  compile: (format: keyof typeof formats, { maxLength = Infinity }: AnySchemaObject) => {
    const isValid = formats[format];
    if (!isValid) throw new Error(`there is no format ${format}`);
    const maxUnits = 2 * Number(maxLength);
    return (text: string) => text.length > maxUnits || isValid(text);
  },
});

/** The parts of a JSON Schema that the walks below look at. */
interface Shape {
  readonly properties?: Record<string, Shape>;
  readonly items?: Shape;
  readonly maxItems?: number;
  readonly readOnly?: boolean;
}

/** A compiled schema. `check` may cut arrays that are longer than allowed: the value is refused anyway. */
interface Checker {
  /** Everything that is wrong with a body, with pointers. */
  readonly check: (value: unknown) => Violation[];
  /** `unknown_field` for each property that the schema does not know, at most 50. */
  readonly unknownFields: (value: unknown) => Warning[];
}

export function compileBody(schema: TSchema): Checker {
  const validate = ajv.compile(schema);
  const shape = schema as Shape;
  return {
    check: (value) => {
      const violations: Violation[] = [];
      cutLongArrays(shape, value, [], violations);
      return [...violations, ...run(validate, value, 'body')];
    },
    unknownFields: (value) => {
      const warnings: Warning[] = [];
      collectUnknown(shape, value, [], warnings);
      return warnings;
    },
  };
}

/** Checks parameters: violations name the `parameter`. */
export function compileParams(schema: TSchema): (value: unknown) => Violation[] {
  const validate = ajv.compile(schema);
  return (value) => run(validate, value, 'parameter');
}

function run(validate: ValidateFunction, value: unknown, kind: 'body' | 'parameter'): Violation[] {
  return validate(value) ? [] : toViolations(validate.errors ?? [], kind);
}

/** All errors are collected, so a list of a million wrong entries must not reach the validator. */
function cutLongArrays(
  shape: Shape,
  value: unknown,
  path: readonly (string | number)[],
  found: Violation[],
): void {
  if (Array.isArray(value)) {
    if (shape.maxItems !== undefined && value.length > shape.maxItems) {
      found.push({
        pointer: pointerTo(...path, shape.maxItems),
        code: 'too_many',
        detail: `${path.join('.')} must have at most ${shape.maxItems} entries; it has ${value.length}.`,
      });
      value.length = shape.maxItems;
    }
    for (const [index, entry] of value.entries()) {
      if (shape.items) cutLongArrays(shape.items, entry, [...path, index], found);
    }
    return;
  }
  if (!isRecord(value) || !shape.properties) return;
  for (const [name, inner] of Object.entries(shape.properties)) {
    if (Object.hasOwn(value, name)) cutLongArrays(inner, value[name], [...path, name], found);
  }
}

function collectUnknown(
  shape: Shape,
  value: unknown,
  path: readonly (string | number)[],
  found: Warning[],
): void {
  if (found.length >= LISTED_AT_MOST || shape.readOnly) return;
  if (Array.isArray(value) && shape.items) {
    for (const [index, entry] of value.entries()) collectUnknown(shape.items, entry, [...path, index], found);
    return;
  }
  if (!isRecord(value) || !shape.properties) return;
  for (const name of Object.keys(value)) {
    const inner = Object.hasOwn(shape.properties, name) ? shape.properties[name] : undefined;
    if (inner) collectUnknown(inner, value[name], [...path, name], found);
    else if (found.length < LISTED_AT_MOST) found.push(unknownField([...path, name]));
  }
}

const unknownField = (path: readonly (string | number)[]): Warning => ({
  code: 'unknown_field',
  detail: 'This property is not known here; it was ignored.',
  pointer: pointerTo(...path.map((token) => (typeof token === 'string' ? token.slice(0, 200) : token))),
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
