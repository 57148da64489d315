import { EventEmitter } from 'node:events';
import type { Mongo } from '../mongo.ts';
import { currentSpan, type Span } from './span.ts';

interface OperationStart {
  readonly _id: object;
  readonly collectionName: string;
  readonly method: string;
}

interface OperationEnd {
  readonly _id: object;
  readonly result?: unknown;
  readonly error?: unknown;
}

/**
 * A span for each operation on a collection that a recorded request asks for. From mongoose's events, not from the
 * driver's command monitoring: that one decodes every reply a second time, of every request, recorded or not.
 * A span holds neither filters nor documents.
 */
export function traceDatabase(mongo: Mongo): void {
  const underWay = new WeakMap<object, Span>();

  mongo.on('operation-start', ({ _id, collectionName, method }: OperationStart) => {
    const span = beginSpan(mongo, method, collectionName);
    if (span) underWay.set(_id, span);
  });

  mongo.on('operation-end', ({ _id, result, error }: OperationEnd) => {
    const span = underWay.get(_id);
    if (!span) return;
    // A cursor has asked for nothing yet; once it is read to its end, it closes.
    if (result instanceof EventEmitter) result.once('close', () => span.end());
    else span.end(error === undefined ? undefined : nameOf(error));
  });
}

/** Times what is sent past mongoose: the commit of a transaction, or a command for a collection. */
export async function spanOf<T>(
  mongo: Mongo,
  method: string,
  work: () => Promise<T>,
  collection?: string,
): Promise<T> {
  const span = beginSpan(mongo, method, collection);
  if (!span) return work();
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(nameOf(error));
    throw error;
  }
}

/** As OpenTelemetry's conventions for MongoDB name what a span tells; undefined where nothing is recorded. */
const beginSpan = (mongo: Mongo, method: string, collection?: string): Span | undefined =>
  currentSpan()?.begin(collection === undefined ? method : `${method} ${collection}`, 'client', {
    'db.system.name': 'mongodb',
    'db.namespace': mongo.name,
    'db.operation.name': method,
    ...(collection !== undefined && { 'db.collection.name': collection }),
  });

/** Its kind alone: the message of a database error quotes values. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'error');
