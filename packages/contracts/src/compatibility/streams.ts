import { breaking, type Finding, note } from './findings.ts';
import { joinPointer, namesOf } from './json.ts';
import type { ReleasedStream } from './snapshot.ts';

type Streams = Readonly<Record<string, ReleasedStream>>;

const limits = {
  maxAgeMs: 'a consumer that was down for the promised time misses messages',
  maxBytes: 'the stream rejects messages earlier than promised',
  duplicateWindowMs: 'a message repeated within the promised time is stored twice',
} as const;

/** Compares the subjects and limits of streams. */
export function compareStreams(before: Streams, after: Streams): Finding[] {
  return namesOf(before, after).flatMap((name) => {
    const pointer = joinPointer('', 'streams', name);
    const [old, current] = [before[name], after[name]];
    if (!old) return [note(pointer, `${name} is new`, 'the setup step creates it')];
    if (!current)
      return [breaking(pointer, `${name} is removed`, 'services of the last release still use it')];
    return compareSubjectsOf(old, current, pointer).concat(compareLimits(old, current, pointer));
  });
}

type Consumers = Readonly<Record<string, string>>;

/** Compares durable consumers. A new name or subject starts without the old one's position. */
export function compareConsumers(before: Consumers, after: Consumers): Finding[] {
  return namesOf(before, after).flatMap((name) => {
    const pointer = joinPointer('', 'consumers', name);
    const [old, current] = [before[name], after[name]];
    if (old === current) return [];
    if (old === undefined) return [note(pointer, `${name} is new`, 'its owner sets where it starts')];
    const what = current === undefined ? `${name} is removed` : `${name} reads ${current} instead of ${old}`;
    const why = 'unread messages are lost or read again, and the server keeps the unused consumer';
    return [breaking(pointer, what, why)];
  });
}

function compareSubjectsOf(before: ReleasedStream, after: ReleasedStream, pointer: string): Finding[] {
  return before.subjects
    .filter((subject) => !after.subjects.includes(subject))
    .map((subject) =>
      breaking(`${pointer}/subjects`, `${subject} is no longer stored`, 'publishing to it fails'),
    );
}

function compareLimits(before: ReleasedStream, after: ReleasedStream, pointer: string): Finding[] {
  const names = Object.keys(limits) as (keyof typeof limits)[];
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => {
      const what = `${name} went from ${before[name]} to ${after[name]}`;
      const place = `${pointer}/${name}`;
      return after[name] < before[name]
        ? breaking(place, what, limits[name])
        : note(place, what, 'the setup step of the newer release sets it');
    });
}
