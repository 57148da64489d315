import { breaking, type Finding, note } from './change.ts';
import { namesOf, under } from './json.ts';
import type { ReleasedStream } from './snapshot.ts';

type Streams = Readonly<Record<string, ReleasedStream>>;

const limits = {
  maxAgeMs: 'a consumer that was away for as long as was promised misses messages',
  maxBytes: 'publishers are refused earlier than was promised',
  duplicateWindowMs: 'a message sent again as late as was promised is kept twice',
} as const;

/** Changes of streams: what they take, and what they promise. */
export function compareStreams(before: Streams, after: Streams): Finding[] {
  return namesOf(before, after).flatMap((name) => {
    const pointer = under('', 'streams', name);
    const [old, today] = [before[name], after[name]];
    if (!old) return [note(pointer, `${name} is new`, 'its owner makes it')];
    if (!today) return [breaking(pointer, `${name} is gone`, 'services of the last release still use it')];
    return compareSubjectsOf(old, today, pointer).concat(compareLimits(old, today, pointer));
  });
}

type Consumers = Readonly<Record<string, string>>;

/** Changes of durable consumers. Under another name, or for another subject, nobody takes over their place. */
export function compareConsumers(before: Consumers, after: Consumers): Finding[] {
  return namesOf(before, after).flatMap((name) => {
    const pointer = under('', 'consumers', name);
    const [old, today] = [before[name], after[name]];
    if (old === today) return [];
    if (old === undefined) return [note(pointer, `${name} is new`, 'it starts where its owner says')];
    const what = today === undefined ? `${name} is gone` : `${name} takes ${today} instead of ${old}`;
    const why = 'what it had not taken yet is lost or taken again, and the server keeps it for nobody';
    return [breaking(pointer, what, why)];
  });
}

function compareSubjectsOf(before: ReleasedStream, after: ReleasedStream, pointer: string): Finding[] {
  return before.subjects
    .filter((subject) => !after.subjects.includes(subject))
    .map((subject) =>
      breaking(`${pointer}/subjects`, `${subject} is not kept any more`, 'publishing there fails'),
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
        : note(place, what, 'the service that starts last sets it');
    });
}
