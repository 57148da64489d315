import type { Event, Operation, Stream } from '../operation.ts';
import { isObject, type Json, type JsonObject, plainJson } from './json.ts';

/** The contracts of one release, as services of another release depend on them. */
export interface Snapshot {
  readonly version: string;
  readonly operations: Readonly<Record<string, ReleasedOperation>>;
  readonly events: Readonly<Record<string, ReleasedEvent>>;
  readonly streams: Readonly<Record<string, ReleasedStream>>;
  /** Subject of each durable consumer, by `<stream> <name>`. */
  readonly consumers: Readonly<Record<string, string>>;
  /** Kind by code. */
  readonly errorCodes: Readonly<Record<string, string>>;
  readonly violationCodes: readonly string[];
  readonly warningCodes: readonly string[];
  /** Schemas of what packages/bus sends in headers. */
  readonly headers: { readonly principal: Json; readonly paging: Json };
}

export interface ReleasedOperation {
  readonly name: string;
  /** The queue group of its owner's replicas. */
  readonly queue: string;
  readonly params: Json;
  /** null without a body. */
  readonly body: Json;
  /** null without a reply. */
  readonly reply: Json;
  readonly errors: readonly string[];
  readonly takesIdempotencyKey: boolean;
  /** The date from which it may be removed; only of deprecated operations. */
  readonly sunset?: string;
}

export interface ReleasedEvent {
  readonly name: string;
  /** Empty where no stream stores it. */
  readonly stream: string;
  readonly payload: Json;
}

export type ReleasedStream = Omit<Stream, 'name'>;

/** The exports of this package that a snapshot reads. */
export interface Exports {
  readonly [name: string]: unknown;
  readonly errorCodes: Readonly<Record<string, { readonly kind: string }>>;
  readonly violationCodes: readonly string[];
  readonly warningCodes: readonly string[];
  readonly Principal: object;
  readonly Paging: object;
}

/** A durable consumer: the stream keeps its position under its name. */
export interface Consumer {
  readonly event: Event;
  readonly durable: string;
}

/** Makes a snapshot of the contracts that a module exports, in alphabetical order. */
export function snapshotOf(version: string, exports: Exports, consumers: readonly Consumer[]): Snapshot {
  const all = Object.entries(exports).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const operations = all.flatMap(([name, value]) =>
    isOperation(value) ? [[value.subject, operationOf(name, value)] as const] : [],
  );
  const events = all.flatMap(([name, value]) =>
    isEvent(value) ? [[value.subject, eventOf(name, value)] as const] : [],
  );
  const streams = all.flatMap(([, value]) =>
    isStream(value) ? [[value.name, streamOf(value)] as const] : [],
  );
  const kinds = Object.entries(exports.errorCodes).map(([code, { kind }]) => [code, kind] as const);
  const durables = consumers.map(
    ({ event, durable }) => [`${event.stream} ${durable}`, event.subject] as const,
  );
  return plainJson({
    version,
    operations: Object.fromEntries(operations),
    events: Object.fromEntries(events),
    streams: Object.fromEntries(streams),
    consumers: Object.fromEntries(durables),
    errorCodes: Object.fromEntries(kinds),
    violationCodes: exports.violationCodes.toSorted(),
    warningCodes: exports.warningCodes.toSorted(),
    headers: { principal: exports.Principal, paging: exports.Paging },
  }) as unknown as Snapshot;
}

const hasAll = (value: unknown, ...names: readonly string[]): value is JsonObject =>
  isObject(value) && names.every((name) => Object.hasOwn(value, name));

const isOperation = (value: unknown): value is Operation & JsonObject =>
  hasAll(value, 'subject', 'owner', 'params', 'errors');
const isEvent = (value: unknown): value is Event & JsonObject =>
  hasAll(value, 'subject', 'stream', 'payload');
const isStream = (value: unknown): value is Stream & JsonObject =>
  hasAll(value, 'name', 'subjects', 'maxAgeMs');

const operationOf = (name: string, operation: Operation): ReleasedOperation => ({
  name,
  queue: operation.owner,
  params: plainJson(operation.params),
  body: plainJson(operation.body),
  reply: plainJson(operation.reply),
  errors: operation.errors.toSorted(),
  takesIdempotencyKey: operation.takesIdempotencyKey,
  ...(operation.deprecated && { sunset: operation.deprecated.sunset }),
});

const eventOf = (name: string, { stream, payload }: Event): ReleasedEvent => ({
  name,
  stream,
  payload: plainJson(payload),
});

const streamOf = ({ subjects, maxAgeMs, maxBytes, duplicateWindowMs }: Stream): ReleasedStream => ({
  subjects,
  maxAgeMs,
  maxBytes,
  duplicateWindowMs,
});
