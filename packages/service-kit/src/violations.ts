import { CATEGORY_NAME_MAX, type Violation, type ViolationCode } from '@joblisting/contracts';
import type { ErrorObject } from 'ajv';
import { isMultilineText, isText } from './formats.ts';

interface Finding {
  readonly code: ViolationCode;
  readonly detail: string;
}

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);

const findings: Record<string, (error: ErrorObject, name: string) => Finding> = {
  required: (_error, name) => ({ code: 'required', detail: `${name} is required.` }),
  type: ({ params, data }, name) => {
    const types = ([] as string[]).concat(params['type'] as string | string[]);
    if (data === null) return { code: 'not_null', detail: `${name} must not be null.` };
    return {
      code: 'type',
      detail: `${name} must be ${types.map((type) => (type === 'null' ? 'null' : article(type))).join(' or ')}.`,
    };
  },
  minLength: (_error, name) => ({ code: 'too_short', detail: `${name} must not be empty.` }),
  maxLength: ({ schema }, name) => ({
    code: 'too_long',
    detail: `${name} must be at most ${Number(schema)} characters long.`,
  }),
  minItems: ({ params }, name) => ({
    code: 'too_few',
    detail: `${name} must have at least ${params['limit']} ${params['limit'] === 1 ? 'entry' : 'entries'}.`,
  }),
  maxItems: ({ params }, name) => ({
    code: 'too_many',
    detail: `${name} must have at most ${params['limit']} entries.`,
  }),
  minimum: ({ params }, name) => ({
    code: 'out_of_range',
    detail: `${name} must be at least ${params['limit']}.`,
  }),
  maximum: ({ params }, name) => ({
    code: 'out_of_range',
    detail: `${name} must be at most ${params['limit']}.`,
  }),
  enum: ({ params }, name) => {
    const allowed = (params['allowedValues'] as (string | number | null)[]).filter((value) => value !== null);
    return { code: 'not_allowed', detail: `${name} must be one of ${allowed.join(', ')}.` };
  },
  not: ({ schema }, name) => ({
    code: 'not_allowed',
    detail: `${name} must not be ${String((schema as { const?: unknown }).const)}.`,
  }),
  format: ({ schema, data }, name) => formatFinding(String(schema), String(data), name),
};

function formatFinding(format: string, value: string, name: string): Finding {
  switch (format) {
    case 'text':
      return invalidCharacters(name);
    case 'multiline-text':
      return invalidCharacters(name, 'control characters other than tab, CR and LF');
    case 'visible-text':
      return isText(value) ? blank(name) : invalidCharacters(name);
    case 'category-name':
      if (!isMultilineText(value)) return invalidCharacters(name);
      return /\S/u.test(value)
        ? {
            code: 'too_long',
            detail: `${name} must be at most ${CATEGORY_NAME_MAX} characters long in composed form (NFC).`,
          }
        : blank(name);
    case 'calendar-date':
      return {
        code: 'invalid_date',
        detail: `${name} must be a calendar date YYYY-MM-DD between 1970 and 9999.`,
      };
    case 'email-address':
      return { code: 'invalid_email', detail: `${name} must be an e-mail address.` };
    case 'web-url':
      return {
        code: 'invalid_url',
        detail: `${name} must be an absolute http or https URL without user information, white space, invisible characters, or any of " < > \\ ^ \` { | }.`,
      };
    default:
      return { code: 'invalid_value', detail: `${name} must be a ${format}.` };
  }
}

const blank = (name: string): Finding => ({
  code: 'blank',
  detail: `${name} must hold a character that is not white space.`,
});

const invalidCharacters = (name: string, controls = 'control characters'): Finding => ({
  code: 'invalid_characters',
  detail: `${name} must not hold ${controls}, or lone surrogates.`,
});

/** `/categories/0/name` reads `categories[0].name`; path parameters keep their own name. */
const nameOf = (path: string) =>
  path
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.') || 'The body';

/**
 * Turns a validator's errors into violations, one for each place: if the type is wrong, other rules are skipped. `kind`
 * says whether they are about a body (`pointer`) or parameters (`parameter`).
 */
export function toViolations(errors: readonly ErrorObject[], kind: 'body' | 'parameter'): Violation[] {
  const byPlace = new Map<string, Violation>();
  const typesFirst = errors.toSorted((a, b) => Number(b.keyword === 'type') - Number(a.keyword === 'type'));
  for (const error of typesFirst) {
    if (error.keyword === 'if') continue;
    const missing = error.keyword === 'required' ? `/${String(error.params['missingProperty'])}` : '';
    const path = error.instancePath + missing;
    if (byPlace.has(path)) continue;
    const finding = findings[error.keyword]?.(error, nameOf(path)) ?? {
      code: 'invalid_value' as const,
      detail: `${nameOf(path)} ${error.message ?? 'is invalid'}.`,
    };
    byPlace.set(
      path,
      kind === 'body'
        ? { pointer: pointerFromPath(path), ...finding }
        : { parameter: path.slice(1), ...finding },
    );
  }
  return [...byPlace.values()];
}

/** A JSON Pointer as URI fragment (RFC 6901, sections 3 and 6): `['a/b', 0]` is `#/a~1b/0`. */
export function pointerTo(...tokens: readonly (string | number)[]): string {
  return `#${tokens.map((token) => `/${encodeToken(String(token))}`).join('')}`;
}

/** The fragment form of a plain JSON Pointer. */
const pointerFromPath = (path: string): string => `#${path.split('/').map(percentEncode).join('/')}`;

const encodeToken = (token: string) => percentEncode(token.replaceAll('~', '~0').replaceAll('/', '~1'));
const percentEncode = (token: string) => encodeURIComponent(token.toWellFormed());
