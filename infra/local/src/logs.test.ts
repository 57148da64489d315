import { describe, expect, it } from '@jest/globals';
import { prettyLine } from './logs.ts';

const line = (fields: object): string => JSON.stringify({ time: 0, ...fields });

describe('prettyLine', () => {
  it.each([
    [line({ level: 30, msg: 'ready' }), undefined],
    [line({ level: 40, msg: 'slow' }), /^\d\d:\d\d:\d\d jobs warning: slow$/],
    [line({ level: 50, msg: 'failed', err: { message: 'no room' } }), /^\S+ jobs error: failed: no room$/],
    [line({ level: 60, msg: 'gone', err: { message: 'gone' } }), /^\S+ jobs fatal: gone$/],
    [line({ level: 60, msg: 'A: b', err: { message: 'A: b: A: b' } }), /^\S+ jobs fatal: A: b$/],
    [line({ level: 40, msg: 'lost', err: { message: 'no: no: no' } }), /^\S+ jobs warning: lost: no$/],
    ['jobs: a setting is wrong', /^jobs: a setting is wrong$/],
    ['Error: a crash', /^jobs: Error: a crash$/],
    ['{ not json', /^jobs: \{ not json$/],
    ['', undefined],
  ])('shows %j as %p', (printed, shown) => {
    if (shown === undefined) expect(prettyLine('jobs', printed)).toBeUndefined();
    else expect(prettyLine('jobs', printed)).toMatch(shown);
  });
});
