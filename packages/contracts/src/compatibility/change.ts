/**
 * What a change does to the set of values that fit a schema.
 *
 * - `narrowed`: some value that fitted fits no more.
 * - `widened`: some value fits that did not.
 * - `grown`: widened by a further value of an enumeration.
 * - `replaced`: both, or it cannot be told.
 * - `removed`: a part of the document is not known any more. Unknown parts are ignored, so nothing is refused.
 * - `added`: a new optional part.
 * - `reinterpreted`: the same value is taken, and does something else.
 */
export type Effect = 'narrowed' | 'widened' | 'grown' | 'replaced' | 'removed' | 'added' | 'reinterpreted';

export interface Change {
  /** JSON Pointer to what changed. */
  readonly pointer: string;
  readonly effect: Effect;
  readonly what: string;
}

/**
 * Who writes a document and who reads it while two releases run side by side.
 *
 * - `request`: callers write, the owner checks.
 * - `reply`: the owner writes, callers read without a check.
 * - `refusal`: a reply whose code callers may not know: they go by its kind or status.
 * - `event`: a reply to consumers of now, and a request to those that read the stream later.
 */
export type Use = 'request' | 'reply' | 'refusal' | 'event';

export interface Finding {
  readonly pointer: string;
  readonly breaking: boolean;
  readonly what: string;
  /** Why it breaks, or what to mind where it does not. */
  readonly why: string;
}

const refusedNow = 'what callers of the last release send may be refused now';
const unheardOf = 'readers of the last release may meet a value that they do not know';
const missed = 'readers of the last release look for it';
const ignoredNow = 'what callers of the last release send is ignored now, without a refusal';
const untold = 'it cannot be told that all values of the last release mean the same';

const breaks: Readonly<Record<Use, Partial<Record<Effect, string>>>> = {
  request: {
    narrowed: refusedNow,
    replaced: refusedNow,
    removed: ignoredNow,
    reinterpreted: 'what callers of the last release send does something else now',
  },
  reply: { widened: unheardOf, grown: unheardOf, replaced: unheardOf, removed: missed },
  refusal: { widened: unheardOf, replaced: unheardOf, removed: missed },
  event: {
    narrowed: 'messages of the last release are in the stream and do not fit',
    widened: unheardOf,
    grown: unheardOf,
    replaced: untold,
    removed: missed,
    reinterpreted: untold,
  },
};

const notes: Readonly<Record<Use, string>> = {
  request: 'deploy the owner before callers that use it',
  reply: 'deploy the owner before readers that count on it',
  refusal: 'an old gateway shows a code that it does not know as a failure inside: deploy it first',
  event: 'deploy the publisher before consumers that count on it',
};

/** Whether a change breaks those who still run the last release. */
export function judge(change: Change, use: Use): Finding {
  const { pointer, what, effect } = change;
  const why = breaks[use][effect];
  return { pointer, breaking: why !== undefined, what, why: why ?? notes[use] };
}

export const breaking = (pointer: string, what: string, why: string): Finding => ({
  pointer,
  breaking: true,
  what,
  why,
});

export const note = (pointer: string, what: string, why: string): Finding => ({
  pointer,
  breaking: false,
  what,
  why,
});
