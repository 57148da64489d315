import { MIMEType } from 'node:util';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { FILES_MAX, ServiceError } from '@joblisting/contracts';
import { bufferOf } from './domain/file.ts';

/** A part of a multipart body. `name` is that of the form field. */
interface Part {
  readonly name: string;
  readonly filename: string;
  readonly content: Buffer;
}

const MULTIPART = 'multipart/form-data';
/** One more than are accepted is read, so that the refusal says so. */
const PARTS_MAX = 1 + FILES_MAX + 1;
const HEADERS_OF_A_PART = 20;
/** Larger writes make the parser skip a part without a word (@fastify/busboy 3.2). */
const SLICE_BYTES = 16 * 1024;
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary']);

export const isMultipart = (contentType: string): boolean => typeOf(contentType)?.essence === MULTIPART;

/** The pieces between the delimiters: the same however a sender separates its parts. */
export function splitByBoundary(body: Uint8Array, contentType: string): Uint8Array[] {
  const bytes = bufferOf(body);
  const delimiter = delimiterOf(contentType);
  if (delimiter === undefined) return [bytes];
  const ends = delimitersIn(bytes, delimiter);
  const starts = [0, ...ends.map((at) => at + delimiter.length)];
  return starts.map((start, index) => bytes.subarray(start, ends[index]));
}

/** What separates parts, without the line break before it (RFC 2046, section 5.1.1). */
function delimiterOf(contentType: string): Buffer | undefined {
  const boundary = typeOf(contentType)?.params.get('boundary');
  return boundary ? Buffer.from(`--${boundary}`) : undefined;
}

/** Where delimiters are, at most one more than there may be: a body can have a million. */
function delimitersIn(bytes: Buffer, delimiter: Buffer): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    const startsLine = at === 0 || bytes[at - 1] === 0x0a;
    if (startsLine) found.push(at);
    if (found.length > PARTS_MAX + 1) break;
  }
  return found;
}

function typeOf(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

/** The parts of a multipart body (RFC 7578). Throws `malformed_multipart`, also if a part would be lost. */
export async function partsOf(body: Uint8Array, contentType: string): Promise<Part[]> {
  const bytes = bufferOf(body);
  const delimiter = delimiterOf(contentType);
  const delimiters = delimiter ? delimitersIn(bytes, delimiter).length : 0;
  if (delimiters > PARTS_MAX + 1) throw malformed(`There are more than ${1 + FILES_MAX} parts.`);
  const parts = await parse(bytes, contentType);
  // The last delimiter ends the body.
  if (parts.length !== delimiters - 1) {
    throw malformed('A part is not form-data, or its headers cannot be read.');
  }
  return parts;
}

async function parse(bytes: Buffer, contentType: string): Promise<Part[]> {
  const parts: Part[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // It may be rejected while a slice is written.
  promise.catch(() => undefined);
  let isEnded = false;
  const fail = (cause: unknown) => {
    isEnded = true;
    reject(malformed('The body is not complete multipart/form-data.', cause));
  };
  const parser = createParser(contentType);
  parser.on('file', (name, stream, filename, encoding) => {
    const chunks: Buffer[] = [];
    if (!PLAIN_ENCODINGS.has(encoding.toLowerCase())) fail(new Error(`the encoding is ${encoding}`));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', fail);
    stream.on('end', () =>
      parts.push({ name: name ?? '', filename: filename ?? '', content: Buffer.concat(chunks) }),
    );
  });
  parser.on('error', fail);
  parser.on('finish', resolve);
  for (let from = 0; from < bytes.length && !isEnded; from += SLICE_BYTES) {
    const slice = bytes.subarray(from, from + SLICE_BYTES);
    await new Promise<void>((written) => void parser.write(slice, () => written()));
  }
  if (!isEnded) parser.end();
  await promise;
  return parts;
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: PARTS_MAX, headerPairs: HEADERS_OF_A_PART },
      isPartAFile: () => true,
    });
  } catch (error) {
    throw malformed('The Content-Type has no usable boundary.', error);
  }
}

export const malformed = (detail: string, cause?: unknown) =>
  new ServiceError('malformed_multipart', detail, { cause });
