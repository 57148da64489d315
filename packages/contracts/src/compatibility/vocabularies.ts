import { breaking, type Finding, judge, note } from './change.ts';
import { namesOf } from './json.ts';
import type { Snapshot } from './snapshot.ts';

type Vocabularies = Pick<Snapshot, 'errorCodes' | 'violationCodes' | 'warningCodes'>;

/** Changes of the lists of codes that every refusal and every warning takes its code from. */
export function compareVocabularies(before: Vocabularies, after: Vocabularies): Finding[] {
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
    const [old, today] = [before[code], after[code]];
    if (old === today) return [];
    if (old === undefined) return [judge({ pointer, effect: 'grown', what: `${code} is new` }, 'refusal')];
    if (today === undefined) {
      const why =
        'services of the last release still refuse with it, and callers would show a failure inside';
      return [breaking(pointer, `${code} is gone`, why)];
    }
    const what = `${code} went from ${old} to ${today}`;
    return [breaking(pointer, what, 'clients would get another status for the same refusal')];
  });
}

function compareCodes(before: readonly string[], after: readonly string[], pointer: string): Finding[] {
  const gone = before.filter((code) => !after.includes(code));
  const fresh = after.filter((code) => !before.includes(code));
  return [
    ...gone.map((code) => breaking(pointer, `${code} is gone`, 'clients of the last release look for it')),
    ...fresh.map((code) => note(pointer, `${code} is new`, 'clients show its detail')),
  ];
}
