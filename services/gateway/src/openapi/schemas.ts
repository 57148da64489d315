import {
  createCategory,
  Job,
  JobByReference,
  JobCategory,
  JobChanges,
  JobHeader,
  JobReference,
  MetricsBatch,
  MetricsEvent,
  MetricsReceipt,
  NewJob,
  updateCategory,
} from '@joblisting/contracts';
import { ErrorAnswer, PagingWithLinks, Violation, Warning } from './answer-schemas.ts';

const NO_NUL = String.raw`^[^\u0000]*$`;
const VISIBLE = String.raw`^[^\u0000]*[^\s\u0000][^\u0000]*$`;
const YEAR = String.raw`(19[7-9]\d|[2-9]\d{3})`;

/** Formats of the contracts as schemas that any reader of JSON Schema understands. */
export const formatSchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  text: { pattern: NO_NUL },
  'visible-text': { pattern: VISIBLE },
  'category-name': { pattern: VISIBLE },
  'calendar-date': { format: 'date', pattern: String.raw`^${YEAR}-\d{2}-\d{2}$` },
  'date-time': { format: 'date-time', pattern: String.raw`^${YEAR}-\d{2}-\d{2}T` },
  'email-address': { format: 'email' },
  'web-url': { format: 'uri', pattern: '^[hH][tT][tT][pP][sS]?://' },
};

/** If-Match: `*`, or entity tags with commas between (RFC 9110, section 13.1.1). */
export const IF_MATCH = String.raw`^(\*|(W/)?"[!#-~]*"([ \t]*,[ \t]*(W/)?"[!#-~]*")*)$`;

export type Json = Readonly<Record<string, unknown>>;

/** Named schemas; wherever one occurs, the description refers to it. */
const named: Readonly<Record<string, object | undefined>> = {
  Job,
  JobHeader,
  NewJob,
  JobChanges,
  JobByReference,
  JobReference,
  JobCategory,
  NewJobCategory: createCategory.body,
  JobCategoryChanges: updateCategory.body,
  MetricsEvent,
  MetricsBatch,
  MetricsReceipt,
  Paging: PagingWithLinks,
  Warning,
  Violation,
  Error: ErrorAnswer,
};

const nameOf = new Map(Object.entries(named).map(([name, schema]) => [schema, name] as const));

export function componentSchemas(): Json {
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, plain(schema ?? {})]));
}

/** A contract's schema for the description: named ones by reference. */
export function describeSchema(schema: object): Json {
  const name = nameOf.get(schema);
  return name === undefined ? plain(schema) : { $ref: `#/components/schemas/${name}` };
}

function plain(schema: object): Json {
  const entries = Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'format') return Object.entries(formatSchemas[String(value)] ?? { format: value });
    return [[key, inner(key, value)] as const];
  });
  return Object.fromEntries(entries);
}

function inner(key: string, value: unknown): unknown {
  if (key === 'examples' || key === 'default' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => inner('', entry));
  if (key === 'properties') {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, describeSchema(schema)]));
  }
  return describeSchema(value);
}
