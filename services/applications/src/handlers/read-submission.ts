import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { type createApplication, FILES_MAX, type ParamsOf, ServiceError } from '@joblisting/contracts';
import { type BodyReader, parseJsonObject, type Sameness } from '@joblisting/service-kit';
import { baseName } from '../domain/file.ts';

/** A part of a multipart body. `name` is that of the form field. */
interface Part {
  readonly name: string;
  readonly filename: string;
  readonly content: Buffer;
}

type Params = ParamsOf<typeof createApplication>;

const MULTIPART = 'multipart/form-data';
const APPLICATION_PART = 'application';
const FILE_PART = 'file';
/** One more than are accepted is read, so that the refusal says so. */
const PARTS_MAX = 1 + FILES_MAX + 1;
const HEADERS_OF_A_PART = 20;

const contentTypeOf = (params: unknown): string => (params as Params).contentType ?? 'application/json';
const isMultipart = (contentType: string): boolean => contentType.trim().toLowerCase().startsWith(MULTIPART);

/**
 * Reads a new application: one JSON object, or multipart with a part `application` that is one and parts `file`.
 * Throws `malformed_json` or `malformed_multipart`.
 */
export const readSubmission: BodyReader = async (bytes, params) => {
  const contentType = contentTypeOf(params);
  if (!isMultipart(contentType)) return parseJsonObject(bytes);
  const parts = await partsOf(bytes, contentType);
  const stranger = parts.find(({ name }) => name !== APPLICATION_PART && name !== FILE_PART);
  if (stranger) {
    throw malformed(
      `A part is named "${stranger.name.slice(0, 100)}". Its name must be application or file.`,
    );
  }
  const [application, second] = parts.filter(({ name }) => name === APPLICATION_PART);
  if (!application || second) throw malformed('There must be one part named application.');
  const files = parts
    .filter(({ name }) => name === FILE_PART)
    .map(({ filename, content }) => ({ name: baseName(filename), content }));
  return { ...parseJsonObject(application.content), files };
};

/** A repeated request may separate its parts by another boundary than the first. */
export const submissionSameness: Sameness = {
  scope: (params) => (params as Params).jobId,
  fingerprint: ({ params, body }) => {
    const contentType = contentTypeOf(params);
    const boundary = isMultipart(contentType) ? boundaryOf(contentType) : undefined;
    return boundary === undefined ? [body] : piecesBetween(Buffer.from(body), Buffer.from(boundary));
  },
};

const boundaryOf = (contentType: string): string | undefined =>
  /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)?.slice(1).find(Boolean);

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
function partsOf(bytes: Uint8Array, contentType: string): Promise<Part[]> {
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

const malformed = (detail: string, cause?: unknown) =>
  new ServiceError('malformed_multipart', detail, { cause });
