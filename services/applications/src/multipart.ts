import { MIMEType } from 'node:util';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { FILES_MAX, ServiceError } from '@joblisting/contracts';

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

export const isMultipart = (contentType: string): boolean => typeOf(contentType)?.essence === MULTIPART;

/** The pieces between the boundaries: the same however a sender separates its parts. */
export function piecesOf(body: Uint8Array, contentType: string): Uint8Array[] {
  const boundary = typeOf(contentType)?.params.get('boundary');
  return boundary ? piecesBetween(Buffer.from(body), Buffer.from(boundary)) : [body];
}

function typeOf(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

function piecesBetween(bytes: Buffer, separator: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, from)) {
    pieces.push(bytes.subarray(from, at));
    from = at + separator.length;
  }
  return [...pieces, bytes.subarray(from)];
}

/** The parts of a multipart body (RFC 7578). Throws `malformed_multipart`. */
export function partsOf(bytes: Uint8Array, contentType: string): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: Part[] = [];
    const fail = (cause: unknown) =>
      reject(malformed('The body is not complete multipart/form-data.', cause));
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { parts: PARTS_MAX, headerPairs: HEADERS_OF_A_PART },
        isPartAFile: () => true,
      });
    } catch (error) {
      return fail(error);
    }
    parser.on('file', (name, stream, filename) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', fail);
      stream.on('end', () =>
        parts.push({ name: name ?? '', filename: filename ?? '', content: Buffer.concat(chunks) }),
      );
    });
    parser.on('partsLimit', () => reject(malformed(`There are more than ${1 + FILES_MAX} parts.`)));
    parser.on('error', fail);
    parser.on('finish', () => resolve(parts));
    parser.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  });
}

export const malformed = (detail: string, cause?: unknown) =>
  new ServiceError('malformed_multipart', detail, { cause });
