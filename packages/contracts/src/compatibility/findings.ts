import type { Change, Effect } from './change.ts';

/**
 * Who writes a document and who reads it while two releases run side by side.
 *
 * - `request`: callers write, the owner validates.
 * - `reply`: the owner writes, callers read without validation.
 * - `refusal`: an error reply. Callers use the kind or status of a code that they do not know.
 * - `event`: a reply to current consumers, and a request to those that read the stream later.
 */
export type Use = 'request' | 'reply' | 'refusal' | 'event';

export interface Finding {
  readonly pointer: string;
  readonly breaking: boolean;
  readonly what: string;
  /** Why it breaks; otherwise, what to do about it. */
  readonly why: string;
}

const rejected = 'the owner may now reject what callers of the last release send';
const unknownValue = 'readers of the last release may get a value that they do not know';
const missing = 'readers of the last release use it';
const ignored = 'the owner now silently ignores what callers of the last release send';
const ambiguous = 'stored messages of the last release may now mean something else';

const breaks: Readonly<Record<Use, Partial<Record<Effect, string>>>> = {
  request: {
    narrowed: rejected,
    replaced: rejected,
    removed: ignored,
    reinterpreted: 'what callers of the last release send now means something else',
  },
  reply: { widened: unknownValue, grown: unknownValue, replaced: unknownValue, removed: missing },
  refusal: { widened: unknownValue, replaced: unknownValue, removed: missing },
  event: {
    narrowed: 'the stream holds messages of the last release that are now invalid',
    widened: unknownValue,
    grown: unknownValue,
    replaced: ambiguous,
    removed: missing,
    reinterpreted: ambiguous,
  },
};

const notes: Readonly<Record<Use, string>> = {
  request: 'deploy the owner before callers that use it',
  reply: 'deploy the owner before readers that need it',
  refusal: 'an old gateway answers 500 for an unknown code: deploy the gateway first',
  event: 'deploy the publisher before consumers that need it',
};

/** Decides whether a change breaks a service or client of the last release. */
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

const POINTERS_SHOWN = 3;

/** Formats findings for people, breaking ones first. Equal findings of several places make one paragraph. */
export function report(findings: readonly Finding[]): string {
  const broken = findings.filter(({ breaking }) => breaking);
  const noted = findings.filter(({ breaking }) => !breaking);
  return [...paragraphs('BREAKS', broken), ...paragraphs('note', noted)].join('');
}

function paragraphs(label: string, findings: readonly Finding[]): string[] {
  const groups = Map.groupBy(findings, ({ what, why }) => `       ${what}: ${why}.\n`);
  return [...groups].map(([text, group]) => {
    const places = group.slice(0, POINTERS_SHOWN).map(({ pointer }) => pointer);
    if (group.length > POINTERS_SHOWN) places.push(`and ${group.length - POINTERS_SHOWN} more places`);
    return `${label.padEnd(6)} ${places.join('\n       ')}\n${text}`;
  });
}
