import { tracingChannel } from 'node:diagnostics_channel';
import { SpanKind, type Span, type Tracer } from '@opentelemetry/api';
import type { TracingContext } from 'mongoose';
import type { Mongo } from '../mongo.ts';
import { activeSpan, contextOfSpan, endSpan } from './trace-parent.ts';

/** Mongoose reports the operations of models here. The driver's own command monitoring decodes every reply twice. */
const channels = [
  'mongoose:query',
  'mongoose:aggregate',
  'mongoose:model:insertMany',
  'mongoose:model:bulkWrite',
];

/**
 * A span for each operation of a model that a recorded request leads to. Spans are named by OpenTelemetry's conventions
 * for MongoDB, and hold neither filters nor documents.
 */
export function traceDatabase(mongo: Mongo, tracer: Tracer): void {
  const spans = new WeakMap<object, Span>();

  const start = (operation: object): void => {
    const parent = activeSpan();
    const { operation: name, collection, database } = operation as TracingContext;
    if (!parent || database !== mongo.name) return;
    const attributes = {
      'db.system.name': 'mongodb',
      'db.namespace': database,
      'db.operation.name': name,
      'db.collection.name': collection,
    };
    const options = { kind: SpanKind.CLIENT, attributes };
    spans.set(operation, tracer.startSpan(`${name} ${collection}`, options, contextOfSpan(parent)));
  };

  const end = (operation: object): void => {
    const { error } = operation as { readonly error?: unknown };
    const span = spans.get(operation);
    if (span) endSpan(span, {}, error instanceof Error ? error.name : undefined);
  };

  const nothing = () => undefined;
  const subscribers = { start, asyncEnd: end, end: nothing, asyncStart: nothing, error: nothing };
  for (const channel of channels) tracingChannel(channel).subscribe(subscribers);
  mongo.once('close', () => {
    for (const channel of channels) tracingChannel(channel).unsubscribe(subscribers);
  });
}
