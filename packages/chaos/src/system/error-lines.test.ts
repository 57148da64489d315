import { describe, expect, it } from '@jest/globals';
import { errorLines } from './error-lines.ts';

const line = (level: number, msg: string) => JSON.stringify({ level, msg });

describe('what a service logs', () => {
  it.each([
    ['an error', [`${line(50, 'a')}\n`], [line(50, 'a')]],
    ['the end of a service', [`${line(60, 'a')}\n`], [line(60, 'a')]],
    ['a warning', [`${line(40, 'a')}\n`], []],
    ['an error between others', [`${line(30, 'a')}\n${line(50, 'b')}\n${line(40, 'c')}\n`], [line(50, 'b')]],
    ['an error in two parts', [line(50, 'a').slice(0, 6), `${line(50, 'a').slice(6)}\n`], [line(50, 'a')]],
    ['an error cut off by the end', [line(50, 'a')], []],
    ['what is no log line', ['level 50\n{"level":"none"}\n'], []],
  ])('%s', (_what, texts, told) => {
    const lines: string[] = [];
    const take = errorLines((one) => lines.push(one));
    for (const text of texts) take(text);
    expect(lines).toEqual(told);
  });
});
