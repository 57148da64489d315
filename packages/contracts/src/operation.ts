import type { TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

/** An operation that goes away. Dates are `YYYY-MM-DD` and begin at 00:00 UTC. */
export interface Deprecation {
  /** From then on new clients should not use it. */
  readonly since: string;
  /** Until then it works as before. */
  readonly sunset: string;
  /** A page that says what to use in its place. */
  readonly link: string;
}

/**
 * One request/reply operation that crosses a service boundary.
 *
 * - `subject`: the NATS subject. It has fixed words only, never ids or other client data.
 * - `params`: small scalars (path and query of an HTTP request), sent as one JSON header.
 * - `body`: the JSON document in the payload, if any.
 * - `reply`: the JSON document in the reply's payload, if any.
 * - `errors`: the codes that a caller must expect besides the common ones.
 * - `collectsViolations`: the handler also gets bodies that break the schema, with the violations. It reports them
 *   together with broken rules (API decisions, "Order of refusals"), or for each event ("Metrics").
 * - `takesIdempotencyKey`: the owner stores the first success and repeats it for the same key (API decisions,
 *   "Idempotency-Key").
 * - `deprecated`: set before it is removed (README, "Deprecation").
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
  readonly deprecated?: Deprecation;
  /** Never set. Carries the types of the schemas, so that the compiler derives them once. */
  readonly types?: { readonly params: Params; readonly body: Body; readonly reply: Reply };
}

type TypesOf<O extends Operation> = NonNullable<O['types']>;
export type ParamsOf<O extends Operation> = TypesOf<O>['params'];
export type BodyOf<O extends Operation> = TypesOf<O>['body'];
export type ReplyOf<O extends Operation> = TypesOf<O>['reply'];

/**
 * A published fact. `stream` names the JetStream stream that stores it; empty for none. `messageId` shows the form of
 * its message id, by which the stream and consumers drop duplicates.
 */
export interface Event<Payload = unknown> {
  readonly subject: string;
  readonly stream: string;
  readonly messageId?: string;
  readonly summary: string;
  readonly payload: TSchema;
  /** Never set; carries the type of the payload. */
  readonly type?: Payload;
}

export type PayloadOf<E extends Event> = NonNullable<E['type']>;

/** A JetStream stream and its limits. A full stream rejects new messages. */
export interface Stream {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly duplicateWindowMs: number;
}

/** Prefix of the reply inboxes of a bus user. The server lets no other user subscribe there. */
export const inboxPrefixOf = (user: string): string => `_INBOX_${user}`;
