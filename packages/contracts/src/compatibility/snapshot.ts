import type { Event, Operation, Stream } from '../operation.ts';
import { isObject, type Json, type JsonObject, plainJson } from './json.ts';

/** The contracts of one release: all that a service of another release depends on. */
export interface Snapshot {
  readonly version: string;
  readonly operations: Readonly<Record<string, ReleasedOperation>>;
  readonly events: Readonly<Record<string, ReleasedEvent>>;
  readonly streams: Readonly<Record<string, ReleasedStream>>;
  /** Durable consumers by stream and name, and the subject that each takes. */
  readonly consumers: Readonly<Record<string, string>>;
  /** Code to kind. */
  readonly errorCodes: Readonly<Record<string, string>>;
  readonly violationCodes: readonly string[];
  readonly warningCodes: readonly string[];
  /** What rides in headers of requests and replies (packages/bus). */
  readonly headers: { readonly principal: Json; readonly paging: Json };
}

export interface ReleasedOperation {
  readonly name: string;
  /** The queue group of its owner's replicas. */
  readonly queue: string;
  readonly params: Json;
  /** null: it takes none. */
  readonly body: Json;
  /** null: there is none. */
  readonly reply: Json;
  readonly errors: readonly string[];
  readonly takesIdempotencyKey: boolean;
}

export interface ReleasedEvent {
  readonly name: string;
  /** Empty: it is not kept. */
  readonly stream: string;
  readonly payload: Json;
}

export type ReleasedStream = Omit<Stream, 'name'>;

/** What the package of contracts exports, as far as a snapshot is about it. */
export interface Exports {
  readonly [name: string]: unknown;
  readonly errorCodes: Readonly<Record<string, { readonly kind: string }>>;
  readonly violationCodes: readonly string[];
  readonly warningCodes: readonly string[];
  readonly Principal: object;
  readonly Paging: object;
}

/** Who reads a stream: a durable consumer keeps its place under its name. */
export interface Consumer {
  readonly event: Event;
  readonly durable: string;
}

/** Takes down the contracts that a module exports. The order is that of the alphabet. */
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

const has = (value: unknown, ...names: readonly string[]): value is JsonObject =>
  isObject(value) && names.every((name) => Object.hasOwn(value, name));

const isOperation = (value: unknown): value is Operation & JsonObject =>
  has(value, 'subject', 'owner', 'params', 'errors');
const isEvent = (value: unknown): value is Event & JsonObject => has(value, 'subject', 'stream', 'payload');
const isStream = (value: unknown): value is Stream & JsonObject => has(value, 'name', 'subjects', 'maxAgeMs');

const operationOf = (name: string, operation: Operation): ReleasedOperation => ({
  name,
  queue: operation.owner,
  params: plainJson(operation.params),
  body: plainJson(operation.body),
  reply: plainJson(operation.reply),
  errors: operation.errors.toSorted(),
  takesIdempotencyKey: operation.takesIdempotencyKey,
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
