import {
  Application,
  ApplicationCopy,
  ApplicationFile,
  ApplicationHeader,
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
  NewApplication,
  NewJob,
  ReceivedApplication,
  updateCategory,
} from '@joblisting/contracts';
import { ErrorAnswer, PagingWithLinks, Violation, Warning } from './answer-schemas.ts';

const CONTROLS = String.raw`\u0000-\u001f\u007f-\u009f`;
/** All of them but tab, CR and LF. */
const LINE_CONTROLS = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f`;
const visible = (controls: string): string => `^[^${controls}]*[^\\s${controls}][^${controls}]*$`;
const YEAR = String.raw`(19[7-9]\d|[2-9]\d{3})`;

/** Formats of the contracts as schemas that any reader of JSON Schema understands. */
export const formatSchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  text: { pattern: `^[^${CONTROLS}]*$` },
  'multiline-text': { pattern: `^[^${LINE_CONTROLS}]*$` },
  'visible-text': { pattern: visible(CONTROLS) },
  'category-name': { pattern: visible(LINE_CONTROLS) },
  'calendar-date': { format: 'date', pattern: String.raw`^${YEAR}-\d{2}-\d{2}$` },
  'date-time': { format: 'date-time', pattern: String.raw`^${YEAR}-\d{2}-\d{2}T` },
  'email-address': { format: 'email' },
  'web-url': { format: 'uri', pattern: String.raw`^[hH][tT][tT][pP][sS]?://[^\s"<>\\^\x60{|}]+$` },
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
  Application,
  ReceivedApplication,
  ApplicationHeader,
  ApplicationFile,
  ApplicationCopy,
  NewApplication,
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
