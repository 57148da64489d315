import { describe, expect, it } from '@jest/globals';
import { errorLines } from './servers.ts';

const line = (level: number, msg: string) => JSON.stringify({ level, msg });

describe('errorLines', () => {
  it.each([
    ['an error', [`${line(50, 'a')}\n`], [line(50, 'a')]],
    ['a fatal error', [`${line(60, 'a')}\n`], [line(60, 'a')]],
    ['a warning', [`${line(40, 'a')}\n`], []],
    ['an error between others', [`${line(30, 'a')}\n${line(50, 'b')}\n${line(40, 'c')}\n`], [line(50, 'b')]],
    [
      'an error that arrives in two parts',
      [line(50, 'a').slice(0, 6), `${line(50, 'a').slice(6)}\n`],
      [line(50, 'a')],
    ],
    ['an unfinished line', [line(50, 'a')], []],
    ['lines that are not log lines', ['level 50\n{"level":"none"}\n'], []],
  ])('%s', (_what, texts, expected) => {
    const lines: string[] = [];
    const read = errorLines((one) => lines.push(one));
    for (const text of texts) read(text);
    expect(lines).toEqual(expected);
  });
});
