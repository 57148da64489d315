import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { countRecords, linesOf, readRecords } from './records.ts';

const directory = mkdtempSync(join(tmpdir(), 'records-test-'));

function fileOf(content: string | Uint8Array): string {
  const path = join(directory, 'input');
  writeFileSync(path, content);
  return path;
}

describe('readRecords', () => {
  it.each<[name: string, content: string | Uint8Array, records: object[]]>([
    [
      'lines',
      '{"a":1}\n\n 2 \r\n',
      [
        { line: 1, value: { a: 1 } },
        { line: 3, value: 2 },
      ],
    ],
    ['lines in gzip', gzipSync('{"a":1}\n'), [{ line: 1, value: { a: 1 } }]],
    [
      'an array',
      '\uFEFF [1,\n{"b":2}]',
      [
        { line: 1, value: 1 },
        { line: 2, value: { b: 2 } },
      ],
    ],
    ['an array in gzip', gzipSync('[true]'), [{ line: 1, value: true }]],
    ['a byte order mark', '\uFEFF{"a":1}\n', [{ line: 1, value: { a: 1 } }]],
    [
      'a broken line',
      '{"a":\n3',
      [
        { line: 1, text: '{"a":' },
        { line: 2, value: 3 },
      ],
    ],
    ['a line that is not UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), [{ line: 1, text: '"\uFFFD"' }]],
    ['nothing', '', []],
  ])('reads %s', async (_, content, records) => {
    const found = await Array.fromAsync(readRecords(fileOf(content)));
    expect(found).toHaveLength(records.length);
    expect(found).toMatchObject(records);
    expect(await countRecords(fileOf(content))).toBe(records.length);
  });

  it('throws for truncated gzip; countRecords counts the postings before', async () => {
    const packed = gzipSync('1\n2\n');
    const broken = fileOf(packed.subarray(0, -4));
    await expect(Array.fromAsync(readRecords(broken))).rejects.toThrow('unexpected end of file');
    expect(await countRecords(broken)).toBe(2);
  });

  it('throws for a broken array', async () => {
    await expect(Array.fromAsync(readRecords(fileOf('[1,')))).rejects.toThrow('is not a JSON array');
  });
});

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
  ])('splits %j into %j', async (parts, lines) => {
    const found = await Array.fromAsync(linesOf(chunks(parts)));
    expect(found.map(String)).toEqual(lines);
  });
});
