import { SpanKind, type Span, type Tracer } from '@opentelemetry/api';
import type { Mongo } from '../mongo.ts';
import { activeSpan, contextOfSpan, endSpan } from './trace-parent.ts';

/**
 * A span for each command that a recorded request leads to, by the driver's command monitoring; the connection needs
 * `monitorCommands`. Spans are named by OpenTelemetry's conventions for MongoDB, and hold neither filters nor documents.
 */
export function traceDatabase(mongo: Mongo, tracer: Tracer): void {
  const spans = new Map<number, Span>();

  const end = (requestId: number, error?: string): void => {
    const span = spans.get(requestId);
    spans.delete(requestId);
    if (span) endSpan(span, {}, error);
  };

  mongo
    .getClient()
    .on('commandStarted', ({ requestId, commandName, databaseName, command }) => {
      const parent = activeSpan();
      if (!parent) return;
      const target: unknown = commandName === 'getMore' ? command['collection'] : command[commandName];
      const collection = typeof target === 'string' ? target : undefined;
      const attributes = {
        'db.system.name': 'mongodb',
        'db.namespace': databaseName,
        'db.operation.name': commandName,
        ...(collection !== undefined && { 'db.collection.name': collection }),
      };
      const name = collection === undefined ? commandName : `${commandName} ${collection}`;
      const options = { kind: SpanKind.CLIENT, attributes };
      spans.set(requestId, tracer.startSpan(name, options, contextOfSpan(parent)));
    })
    .on('commandSucceeded', ({ requestId }) => end(requestId))
    .on('commandFailed', ({ requestId, failure }) => end(requestId, failure.name));
}
