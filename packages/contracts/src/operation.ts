import type { Static, TSchema } from 'typebox';
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
 */
export interface Operation<
  Params extends TSchema = TSchema,
  Body extends TSchema | undefined = TSchema | undefined,
  Reply extends TSchema | undefined = TSchema | undefined,
> {
  readonly subject: string;
  readonly owner: string;
  readonly summary: string;
  readonly params: Params;
  readonly body: Body;
  readonly reply: Reply;
  readonly errors: readonly ErrorCode[];
  readonly collectsViolations: boolean;
}

export type ParamsOf<O extends Operation> = Static<O['params']>;
export type BodyOf<O extends Operation> = O['body'] extends TSchema ? Static<O['body']> : undefined;
export type ReplyOf<O extends Operation> = O['reply'] extends TSchema ? Static<O['reply']> : undefined;

/** A fact published on a JetStream stream. `stream` names the stream that keeps it. */
export interface Event<Payload extends TSchema = TSchema> {
  readonly subject: string;
  readonly stream: string;
  readonly summary: string;
  readonly payload: Payload;
}

export type PayloadOf<E extends Event> = Static<E['payload']>;

/** A JetStream stream: what it keeps, for how long, and up to which size (then `new` is refused). */
export interface Stream {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly duplicateWindowMs: number;
}
