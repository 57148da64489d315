import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { property } from '../values.ts';
import { UsageError } from '../terminal.ts';

/** One posting of a file. `line` is its line or its position in a JSON array, from 1. */
export type SourceRecord =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly malformed: string; readonly text: string };

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const JSON_ARRAY = /^\uFEFF?\s*\[/u;
const NEWLINE = 0x0a;

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.equals(GZIP_MAGIC);
  } finally {
    await file.close();
  }
}

/** Opens a file and unpacks gzip. */
async function openFile(path: string): Promise<AsyncIterable<Buffer>> {
  if (!(await isGzip(path))) return createReadStream(path);
  const unpacked = createGunzip();
  // The reader's loop throws the error of either stream.
  pipeline(createReadStream(path), unpacked, () => undefined);
  return unpacked;
}

function parse(bytes: Buffer, line: number): SourceRecord {
  try {
    return { line, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch (cause) {
    return { line, malformed: String(property(cause, 'message') ?? cause), text: bytes.toString() };
  }
}

function isBlank(line: Buffer): boolean {
  return line.toString('latin1').trim() === '';
}

async function beginsAsArray(path: string): Promise<boolean> {
  for await (const chunk of await openFile(path)) {
    const text = chunk.toString();
    if (text.trim() !== '') return JSON_ARRAY.test(text);
  }
  return false;
}

async function* recordsOfArray(path: string): AsyncGenerator<SourceRecord> {
  const whole = parse(await buffer(await openFile(path)), 1);
  if ('malformed' in whole) throw new UsageError(`${path} is not a JSON array: ${whole.malformed}`);
  const values: readonly unknown[] = Array.isArray(whole.value) ? whole.value : [];
  for (const [index, value] of values.entries()) yield { line: index + 1, value };
}

/** Splits bytes into lines without their line ends. The last line may lack its end. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end));
      yield Buffer.concat(pieces);
      pieces = [];
      start = end + 1;
    }
    pieces.push(chunk.subarray(start));
  }
  const last = Buffer.concat(pieces);
  if (last.length > 0) yield last;
}

async function* recordsOfLines(path: string): AsyncGenerator<SourceRecord> {
  let line = 0;
  for await (const bytes of linesOf(await openFile(path))) {
    line += 1;
    if (!isBlank(bytes)) yield parse(bytes, line);
  }
}

/** Reads a file of postings, plain or gzip: a JSON array, or one JSON document per line. */
export async function* readRecords(path: string): AsyncGenerator<SourceRecord> {
  yield* (await beginsAsArray(path)) ? recordsOfArray(path) : recordsOfLines(path);
}

/** Counts the postings of a file up to a read error, which the import itself reports. */
export async function countRecords(path: string): Promise<number> {
  let count = 0;
  try {
    const records = (await beginsAsArray(path)) ? recordsOfArray(path) : linesOf(await openFile(path));
    for await (const record of records) if (!Buffer.isBuffer(record) || !isBlank(record)) count += 1;
  } catch {
    return count;
  }
  return count;
}
