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
import { formatSchemas } from './patterns.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The schemas that the description names; wherever one of them occurs, it is referred to. */
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

/** A contract's schema as the description has it: named ones by reference. */
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
