import { breaking, type Finding, judge, note, type Use } from './findings.ts';
import { joinPointer, type Json, namesOf } from './json.ts';
import { compareSchemas } from './schemas.ts';
import type { ReleasedEvent, ReleasedOperation, Snapshot } from './snapshot.ts';
import { compareConsumers, compareStreams } from './streams.ts';
import { compareSunsets, judgeRemoval, todayInUtc } from './sunset.ts';

/** A subject removed on purpose once nothing uses it (README, "A new version of an operation"). */
export interface Retired {
  readonly subject: string;
  readonly why: string;
}

/**
 * Lists all changes since the last release, breaking or not. Pointers lead into the released snapshot, or into the
 * current one for additions.
 */
export function compareContracts(
  before: Snapshot,
  after: Snapshot,
  retired: readonly Retired[] = [],
  today = todayInUtc(),
): Finding[] {
  return [
    ...compareSubjects(
      before.operations,
      after.operations,
      'operations',
      { retired, today },
      compareOperations,
    ),
    ...compareSubjects(before.events, after.events, 'events', { retired, today }, compareEvents),
    ...compareStreams(before.streams, after.streams),
    ...compareConsumers(before.consumers, after.consumers),
    ...compareVocabularies(before, after),
    ...compareDocuments(before.headers.principal, after.headers.principal, '/headers/principal', 'request'),
    ...compareDocuments(before.headers.paging, after.headers.paging, '/headers/paging', 'reply'),
  ];
}

interface Removals {
  readonly retired: readonly Retired[];
  readonly today: string;
}

function compareSubjects<T extends { readonly name: string; readonly sunset?: string }>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  kind: 'operations' | 'events',
  { retired, today }: Removals,
  compare: (before: T, after: T, pointer: string) => Finding[],
): Finding[] {
  return namesOf(before, after).flatMap((subject) => {
    const pointer = joinPointer('', kind, subject);
    const [old, current] = [before[subject], after[subject]];
    if (old && current) return compare(old, current, pointer);
    if (!old) return [note(pointer, `${subject} is new`, 'deploy the owner before its callers')];
    const retirement = retired.find((each) => each.subject === subject);
    if (retirement) return [note(pointer, `${subject} is retired`, retirement.why)];
    const [newSubject] = Object.entries(after).find(([, { name }]) => name === old.name) ?? [];
    const what = newSubject === undefined ? 'is removed' : `moved to ${newSubject}`;
    const removal = {
      pointer,
      what: `${subject} ${what}`,
      why: 'services of the last release still use the subject',
      sunset: old.sunset,
    };
    return [judgeRemoval(removal, today)];
  });
}

function compareOperations(before: ReleasedOperation, after: ReleasedOperation, pointer: string): Finding[] {
  const findings = [
    ...compareDocuments(before.params, after.params, `${pointer}/params`, 'request'),
    ...compareBodies(before.body, after.body, `${pointer}/body`),
    ...compareReplies(before.reply, after.reply, `${pointer}/reply`),
    ...compareErrors(before.errors, after.errors, `${pointer}/errors`),
    ...compareSunsets(before.sunset, after.sunset, `${pointer}/sunset`),
  ];
  if (before.queue !== after.queue) {
    const what = `the queue group went from ${before.queue} to ${after.queue}`;
    const why = 'replicas of both releases would each handle every request';
    findings.push(breaking(`${pointer}/queue`, what, why));
  }
  if (before.takesIdempotencyKey && !after.takesIdempotencyKey) {
    const why = 'a request repeated with the same key would run twice';
    findings.push(breaking(`${pointer}/takesIdempotencyKey`, 'Idempotency-Key is no longer accepted', why));
  }
  return findings;
}

const compareDocuments = (before: Json, after: Json, pointer: string, use: Use): Finding[] =>
  compareSchemas(before, after, pointer).map((change) => judge(change, use));

function compareBodies(before: Json, after: Json, pointer: string): Finding[] {
  if (before !== null && after !== null) return compareDocuments(before, after, pointer, 'request');
  if (before === after) return [];
  return before === null
    ? [judge({ pointer, effect: 'narrowed', what: 'a body is required now' }, 'request')]
    : [judge({ pointer, effect: 'removed', what: 'the body is removed' }, 'request')];
}

function compareReplies(before: Json, after: Json, pointer: string): Finding[] {
  if (before !== null && after !== null) return compareDocuments(before, after, pointer, 'reply');
  if (before === after) return [];
  return before === null
    ? [judge({ pointer, effect: 'added', what: 'a reply is added' }, 'reply')]
    : [judge({ pointer, effect: 'removed', what: 'the reply is removed' }, 'reply')];
}

function compareErrors(before: readonly string[], after: readonly string[], pointer: string): Finding[] {
  const added = after.filter((code) => !before.includes(code));
  const removed = before.filter((code) => !after.includes(code));
  return [
    ...added.map((code) => judge({ pointer, effect: 'grown', what: `${code} is new` }, 'refusal')),
    ...removed.map((code) => note(pointer, `${code} is removed`, 'callers handle one error less')),
  ];
}

function compareEvents(before: ReleasedEvent, after: ReleasedEvent, pointer: string): Finding[] {
  const findings = compareDocuments(before.payload, after.payload, `${pointer}/payload`, 'event');
  if (before.stream === after.stream) return findings;
  const what = `the stream went from "${before.stream}" to "${after.stream}"`;
  return [
    ...findings,
    breaking(`${pointer}/stream`, what, 'publishers and consumers of the last release use the old one'),
  ];
}

type Vocabularies = Pick<Snapshot, 'errorCodes' | 'violationCodes' | 'warningCodes'>;

/** Compares the closed lists of error, violation and warning codes. */
function compareVocabularies(before: Vocabularies, after: Vocabularies): Finding[] {
  return [
    ...compareErrorCodes(before.errorCodes, after.errorCodes),
    ...compareCodes(before.violationCodes, after.violationCodes, '/violationCodes'),
    ...compareCodes(before.warningCodes, after.warningCodes, '/warningCodes'),
  ];
}

type Kinds = Snapshot['errorCodes'];

function compareErrorCodes(before: Kinds, after: Kinds): Finding[] {
  return namesOf(before, after).flatMap((code) => {
    const pointer = `/errorCodes/${code}`;
    const [old, current] = [before[code], after[code]];
    if (old === current) return [];
    if (old === undefined) return [judge({ pointer, effect: 'grown', what: `${code} is new` }, 'refusal')];
    if (current === undefined) {
      const why = 'services of the last release still send it, and callers would answer 500 for it';
      return [breaking(pointer, `${code} is removed`, why)];
    }
    const what = `${code} went from ${old} to ${current}`;
    return [breaking(pointer, what, 'clients would get another status for the same error')];
  });
}

function compareCodes(before: readonly string[], after: readonly string[], pointer: string): Finding[] {
  const removed = before.filter((code) => !after.includes(code));
  const added = after.filter((code) => !before.includes(code));
  return [
    ...removed.map((code) =>
      breaking(pointer, `${code} is removed`, 'clients of the last release look for it'),
    ),
    ...added.map((code) => note(pointer, `${code} is new`, 'clients show its detail')),
  ];
}
