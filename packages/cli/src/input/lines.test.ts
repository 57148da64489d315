import { describe, expect, it } from '@jest/globals';
import { linesOf } from './lines.ts';

async function* chunks(parts: readonly string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

describe('linesOf', () => {
  it.each<[parts: string[], lines: string[]]>([
    [['a\nb\n'], ['a', 'b']],
    [['a\nb'], ['a', 'b']],
    [
      ['a', 'b', '\n', 'c'],
      ['ab', 'c'],
    ],
    [['a\n\nb\n'], ['a', '', 'b']],
    [['a\r\nb'], ['a\r', 'b']],
    [[], []],
    [['', '\n'], ['']],
  ])('of %j are %j', async (parts, lines) => {
    const found = await Array.fromAsync(linesOf(chunks(parts)));
    expect(found.map(String)).toEqual(lines);
  });
});
