import { describe, expect, it } from '@jest/globals';
import { summarise } from './summary.ts';
import { summaryText } from './summary-text.ts';
import { countOutcome, countPrepared, newTally } from './tally.ts';

const tooLong = { pointer: '#/employer', code: 'too_long', detail: 'At most 50 characters.' };

function sample() {
  const tally = newTally();
  countPrepared(tally, {
    body: {} as never,
    synthesised: true,
    notes: [{ code: 'location_unmatched', detail: 'Narnia' }],
    changes: new Map([['span → unwrapped', 3]]),
  });
  countOutcome(tally, 'created');
  countOutcome(tally, { code: 'validation_failed', detail: 'Rules.', status: 422, errors: [tooLong] });
  countOutcome(tally, {
    code: 'validation_failed',
    detail: 'Rules.',
    status: 422,
    errors: [tooLong, { pointer: '#/types/0/id', code: 'unknown_id', detail: 'No such type.' }],
  });
  return tally;
}

function summary(more: object = {}) {
  const empty = { refusedFile: undefined, repairedFile: undefined, sync: undefined, stopped: undefined };
  const run = { file: 'a.ndjson', company: 1, dryRun: false, milliseconds: 1500 };
  return summarise({ tally: sample(), ...run, ...empty, ...more });
}

describe('summaryText', () => {
  it('lists all counts, with the most frequent refusals first', () => {
    expect(
      summaryText(summary({ refusedFile: 'a.refused.ndjson', stopped: 'Stopped early: Interrupted.' })).split(
        /\n/u,
      ),
    ).toEqual([
      expect.stringMatching(/^created +1$/),
      expect.stringMatching(/^updated +0$/),
      expect.stringMatching(/^unchanged +0$/),
      expect.stringMatching(/^repaired +1$/),
      expect.stringMatching(/^ {2}span → unwrapped +3 {2}in 1 postings$/),
      expect.stringMatching(/^synthesised description +1$/),
      expect.stringMatching(/^location_unmatched +1 {2}e.g. “Narnia”$/),
      expect.stringMatching(/^refused +2$/),
      expect.stringMatching(/^ {2}validation_failed +2$/),
      expect.stringMatching(/^ {4}#\/employer too_long +2 {2}“At most 50 characters\.”$/),
      expect.stringMatching(/^ {4}#\/types\/\*\/id unknown_id +1 {2}“No such type\.”$/),
      'Send shorter names of employers with --employer-map (see import --help).',
      '3 postings in 1.5 s, 2 per second',
      'Refused postings with reasons: a.refused.ndjson',
      'Stopped early: Interrupted.',
    ]);
  });

  it('shows line breaks and control characters of postings as escapes', () => {
    const tally = newTally();
    const notes = [{ code: 'location_unmatched' as const, detail: 'a\n\u001b[2J' }];
    countPrepared(tally, { body: {} as never, synthesised: false, notes, changes: new Map() });
    expect(summaryText(summary({ tally }))).toContain(String.raw`“a\u000a\u001b[2J”`);
  });

  it('shows that a dry run wrote nothing', () => {
    const text = summaryText(summary({ dryRun: true }));
    expect(text).toMatch(/^would be created +1\nwould be updated +0\nunchanged +0\n/);
    expect(text).toContain('A dry run: nothing was written.');
  });
});
