import type { TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

/**
 * One request/reply operation that crosses a service boundary.
 *
 * - `subject`: the NATS subject, made of fixed words only. Ids and other client data never become part of it.
 * - `params`: small scalars (path and query of an HTTP request). They travel as one JSON header.
 * - `body`: the JSON document in the payload; absent when the operation takes none.
 * - `reply`: the JSON document in the reply's payload; absent when there is none.
 * - `errors`: the codes of the closed list that a caller must expect besides the common ones.
 * - `collectsViolations`: the handler is called although the body breaks its shape, and gets the violations,
 *   so that shape and rules are reported together (API decisions, "Order of refusals").
 * - `takesIdempotencyKey`: its first success is kept and given again to whoever sends the same key
 *   (API decisions, "Idempotency-Key").
 */
export interface Operation<Params = unknown, Body = unknown, Reply = unknown> {
  readonly subject: string;
  readonly owner: string;
  readonly summary: string;
  readonly params: TSchema;
  readonly body: TSchema | undefined;
  readonly reply: TSchema | undefined;
  readonly errors: readonly ErrorCode[];
  readonly collectsViolations: boolean;
  readonly takesIdempotencyKey: boolean;
  /**
   * Never set. Carries the types that the schemas describe: deriving them from a schema at each use would make
   * the compiler do the work again for every caller.
   */
  readonly types?: { readonly params: Params; readonly body: Body; readonly reply: Reply };
}

type TypesOf<O extends Operation> = NonNullable<O['types']>;
export type ParamsOf<O extends Operation> = TypesOf<O>['params'];
export type BodyOf<O extends Operation> = TypesOf<O>['body'];
export type ReplyOf<O extends Operation> = TypesOf<O>['reply'];

/** A fact published on a JetStream stream. `stream` names the stream that keeps it. */
export interface Event<Payload = unknown> {
  readonly subject: string;
  readonly stream: string;
  readonly summary: string;
  readonly payload: TSchema;
  /** Never set; carries the type of the payload. */
  readonly type?: Payload;
}

export type PayloadOf<E extends Event> = NonNullable<E['type']>;

/** A JetStream stream: what it keeps, for how long, and up to which size (then `new` is refused). */
export interface Stream {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly duplicateWindowMs: number;
}
