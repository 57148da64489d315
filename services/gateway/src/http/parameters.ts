import {
  INT32_MAX,
  INT32_MIN,
  type Violation,
  type ViolationCode,
  type Warning,
} from '@joblisting/contracts';
import type { TSchema } from 'typebox';
import type { QueryEntry } from './query.ts';

/** The part of a parameter's schema that is checked here. */
interface Field {
  readonly type: 'integer' | 'string' | 'boolean';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly enum?: readonly (string | number)[];
}

interface Shape {
  readonly properties: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

/** The checked parameters of a request, with everything that is wrong with them. */
export interface ReadParameters {
  readonly values: Record<string, string | number | boolean>;
  readonly violations: readonly Violation[];
  readonly warnings: readonly Warning[];
}

const NONE: readonly never[] = [];
const DECIMAL = /^-?(?:0|[1-9]\d*)$/;

/**
 * Reads path and query by the operation's schema, strictly: an integer is plain decimal, nothing is repeated, and
 * an unknown name is a warning, except one like `dryRun` of a write (API decisions, "Query parameters").
 * @param names which properties of the schema come from path or query.
 */
export function parameterReader(schema: TSchema, names: readonly string[], isWrite = false) {
  const { properties, required = [] } = schema as unknown as Shape;
  const fields = new Map(names.map((name) => [name, properties[name] as Field]));
  const needed = required.filter((name) => fields.has(name));

  return (path: Readonly<Record<string, string>>, query: readonly QueryEntry[]): ReadParameters => {
    const values: ReadParameters['values'] = {};
    const violations: Violation[] = [];
    const unknown = new Set<string>();
    const seen = new Set<string>();

    const take = (name: string, field: Field, text: string | undefined) => {
      const read = text === undefined ? malformed : readValue(text, field);
      if (typeof read === 'object') violations.push({ parameter: name, ...read });
      else values[name] = read;
    };

    for (const name of Object.keys(path)) {
      const text = path[name];
      const field = fields.get(name);
      seen.add(name);
      if (field) take(name, field, text);
    }
    for (const { name, value } of query) {
      const field = Object.hasOwn(path, name) ? undefined : fields.get(name);
      if (!field && isWrite && isLikeDryRun(name)) violations.push({ ...noDryRun, parameter: name });
      else if (!field) unknown.add(name);
      else if (seen.has(name)) violations.push(repeated(name));
      else take(name, field, value);
      seen.add(name);
    }
    for (const name of needed) {
      if (!seen.has(name)) {
        violations.push({ parameter: name, code: 'required', detail: `${name} is required.` });
      }
    }
    return {
      values,
      violations: violations.length === 0 ? NONE : distinct(violations),
      warnings: unknown.size === 0 ? NONE : [...unknown].map(unknownParameter),
    };
  };
}

interface Problem {
  readonly code: ViolationCode;
  readonly detail: string;
}

const malformed: Problem = {
  code: 'invalid_characters',
  detail: 'This is not valid percent-encoded UTF-8.',
};

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function readValue(text: string, field: Field): string | number | boolean | Problem {
  if (field.type === 'string') return readText(text, field);
  if (field.type === 'boolean') return booleans.get(text) ?? noneOf([...booleans.keys()]);
  if (!DECIMAL.test(text)) return { code: 'type', detail: 'This must be an integer in plain decimal.' };
  const value = Number(text);
  if (field.enum) return field.enum.includes(value) ? value : noneOf(field.enum);
  const { minimum = INT32_MIN, maximum = INT32_MAX } = field;
  if (value >= minimum && value <= maximum) return value;
  return { code: 'out_of_range', detail: `This must be from ${minimum} to ${maximum}.` };
}

function readText(text: string, { maxLength = Infinity, enum: values }: Field): string | Problem {
  if (values) return values.includes(text) ? text : noneOf(values);
  // A character has one or two code units.
  const isTooLong = text.length > 2 * maxLength || Array.from(text).length > maxLength;
  return isTooLong ? { code: 'too_long', detail: `This must have at most ${maxLength} characters.` } : text;
}

const noneOf = (values: readonly (string | number)[]): Problem => ({
  code: 'invalid_value',
  detail: `This must be one of ${values.join(', ')}.`,
});

/** Also `dryrun` and `dry_run`: an ignored one would do what was only to be tried. */
const isLikeDryRun = (name: string): boolean => name.toLowerCase().replaceAll(/[-_]/g, '') === 'dryrun';

const noDryRun = {
  code: 'not_allowed',
  detail:
    'This operation has no parameter of this name, so nothing was done. POST and PUT of jobs take dryRun=true.',
} as const;

const repeated = (parameter: string): Violation => ({
  parameter,
  code: 'repeated',
  detail: `${parameter} must be sent once.`,
});

const unknownParameter = (name: string): Warning => ({
  code: 'unknown_field',
  detail: 'This parameter is not known here; it was ignored.',
  parameter: name.slice(0, 200),
});

/** One violation for each parameter and code: a name sent a thousand times is one fault. */
function distinct(violations: readonly Violation[]): Violation[] {
  return [...new Map(violations.map((each) => [`${each.parameter} ${each.code}`, each])).values()];
}
