import { breaking, type Finding, judge, note, type Use } from './change.ts';
import { type Json, namesOf, under } from './json.ts';
import { compareSchemas } from './schemas.ts';
import type { ReleasedEvent, ReleasedOperation, Snapshot } from './snapshot.ts';
import { compareConsumers, compareStreams } from './streams.ts';
import { compareVocabularies } from './vocabularies.ts';

/** A subject that is taken away on purpose, once nobody uses it (README, "A new version of an operation"). */
export interface Retired {
  readonly subject: string;
  readonly why: string;
}

/**
 * Everything that has changed since the last release, what breaks and what does not.
 * Pointers lead into the snapshot of the release, or into that of today for what is new.
 */
export function compareContracts(
  before: Snapshot,
  after: Snapshot,
  retired: readonly Retired[] = [],
): Finding[] {
  return [
    ...compareSubjects(before.operations, after.operations, 'operations', retired, compareOperations),
    ...compareSubjects(before.events, after.events, 'events', retired, compareEvents),
    ...compareStreams(before.streams, after.streams),
    ...compareConsumers(before.consumers, after.consumers),
    ...compareVocabularies(before, after),
    ...compareDocuments(before.headers.principal, after.headers.principal, '/headers/principal', 'request'),
    ...compareDocuments(before.headers.paging, after.headers.paging, '/headers/paging', 'reply'),
  ];
}

function compareSubjects<T extends { readonly name: string }>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  kind: 'operations' | 'events',
  retired: readonly Retired[],
  compare: (before: T, after: T, pointer: string) => Finding[],
): Finding[] {
  return namesOf(before, after).flatMap((subject) => {
    const pointer = under('', kind, subject);
    const [old, today] = [before[subject], after[subject]];
    if (old && today) return compare(old, today, pointer);
    if (!old) return [note(pointer, `${subject} is new`, 'deploy the owner before whoever uses it')];
    const end = retired.find((each) => each.subject === subject);
    if (end) return [note(pointer, `${subject} is retired`, end.why)];
    const [elsewhere] = Object.entries(after).find(([, { name }]) => name === old.name) ?? [];
    const what = elsewhere === undefined ? 'is gone' : `moved to ${elsewhere}`;
    return [breaking(pointer, `${subject} ${what}`, 'services of the last release still use the subject')];
  });
}

function compareOperations(before: ReleasedOperation, after: ReleasedOperation, pointer: string): Finding[] {
  const found = [
    ...compareDocuments(before.params, after.params, `${pointer}/params`, 'request'),
    ...compareBodies(before.body, after.body, `${pointer}/body`),
    ...compareReplies(before.reply, after.reply, `${pointer}/reply`),
    ...compareErrors(before.errors, after.errors, `${pointer}/errors`),
  ];
  if (before.queue !== after.queue) {
    const what = `the queue group went from ${before.queue} to ${after.queue}`;
    const why = 'replicas of both releases would each handle every request';
    found.push(breaking(`${pointer}/queue`, what, why));
  }
  if (before.takesIdempotencyKey && !after.takesIdempotencyKey) {
    const why = 'what is sent again with its key would be done twice';
    found.push(breaking(`${pointer}/takesIdempotencyKey`, 'Idempotency-Key is not taken any more', why));
  }
  return found;
}

const compareDocuments = (before: Json, after: Json, pointer: string, use: Use): Finding[] =>
  compareSchemas(before, after, pointer).map((change) => judge(change, use));

function compareBodies(before: Json, after: Json, pointer: string): Finding[] {
  if (before !== null && after !== null) return compareDocuments(before, after, pointer, 'request');
  if (before === after) return [];
  return before === null
    ? [judge({ pointer, effect: 'narrowed', what: 'a body is required now' }, 'request')]
    : [judge({ pointer, effect: 'removed', what: 'there is no body any more' }, 'request')];
}

function compareReplies(before: Json, after: Json, pointer: string): Finding[] {
  if (before !== null && after !== null) return compareDocuments(before, after, pointer, 'reply');
  if (before === after) return [];
  return before === null
    ? [judge({ pointer, effect: 'added', what: 'there is a reply now' }, 'reply')]
    : [judge({ pointer, effect: 'removed', what: 'there is no reply any more' }, 'reply')];
}

function compareErrors(before: readonly string[], after: readonly string[], pointer: string): Finding[] {
  const fresh = after.filter((code) => !before.includes(code));
  const gone = before.filter((code) => !after.includes(code));
  return [
    ...fresh.map((code) => judge({ pointer, effect: 'grown', what: `${code} is new` }, 'refusal')),
    ...gone.map((code) => note(pointer, `${code} is gone`, 'callers meet one refusal less')),
  ];
}

function compareEvents(before: ReleasedEvent, after: ReleasedEvent, pointer: string): Finding[] {
  const found = compareDocuments(before.payload, after.payload, `${pointer}/payload`, 'event');
  if (before.stream === after.stream) return found;
  const what = `the stream went from "${before.stream}" to "${after.stream}"`;
  return [
    ...found,
    breaking(`${pointer}/stream`, what, 'publishers and consumers of the last release use the other'),
  ];
}
