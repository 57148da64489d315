import type { createApplication, ParamsOf } from '@joblisting/contracts';
import { type BodyReader, parseJsonObject, type RequestIdentity } from '@joblisting/service-kit';
import { baseName } from '../domain/file.ts';
import { isMultipart, malformed, partsOf, splitByBoundary } from '../multipart.ts';

type Params = ParamsOf<typeof createApplication>;

const APPLICATION_PART = 'application';
const FILE_PART = 'file';

const contentTypeOf = (params: unknown): string => (params as Params).contentType ?? 'application/json';

/**
 * Reads a new application: one JSON object, or multipart with a part `application` that is one and parts `file`.
 * Throws `malformed_json` or `malformed_multipart`.
 */
export const readSubmission: BodyReader = async (bytes, params) => {
  const contentType = contentTypeOf(params);
  if (!isMultipart(contentType)) return parseJsonObject(bytes);
  const parts = await partsOf(bytes, contentType);
  const unknownPart = parts.find(({ name }) => name !== APPLICATION_PART && name !== FILE_PART);
  if (unknownPart) {
    throw malformed(
      `A part is named "${unknownPart.name.slice(0, 100)}". Its name must be application or file.`,
    );
  }
  const [application, second] = parts.filter(({ name }) => name === APPLICATION_PART);
  if (!application || second) throw malformed('There must be one part named application.');
  const files = parts
    .filter(({ name }) => name === FILE_PART)
    .map(({ filename, content }) => ({ name: baseName(withQuotes(filename)), content }));
  return { ...parseJsonObject(application.content), files };
};

/** Browsers and curl send a quote as `%22` (HTML standard, "multipart/form-data encoding algorithm"). */
const withQuotes = (filename: string): string => filename.replaceAll('%22', '"');

/** A repeated request may separate its parts by another boundary than the first. */
export const submissionIdentity: RequestIdentity = {
  scope: (params) => (params as Params).jobId,
  fingerprint: ({ params, body }) => {
    const contentType = contentTypeOf(params);
    return isMultipart(contentType) ? splitByBoundary(body, contentType) : [body];
  },
};
