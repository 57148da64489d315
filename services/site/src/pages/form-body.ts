import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { FILES_BYTES_MAX } from '@joblisting/contracts';

/** A form as a browser sent it. */
export interface FormBody {
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly { readonly name: string; readonly content: Uint8Array }[];
  /** Of all files, also of those that were dropped because they are too many bytes. */
  readonly fileBytes: number;
}

/** A form that cannot be read. Fastify answers with the status. */
export class FormError extends Error {
  override readonly name = 'FormError';
  readonly statusCode: 400 | 413;

  constructor(statusCode: 400 | 413, message: string, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = statusCode;
  }
}

/** Files over the limit are read and dropped up to this size, so that the form can say so and keep its text. */
const BODY_MAX = 32 * 1024 ** 2;
/** More than the longest cover letter; a longer one is cut off, and then refused by the API. */
const FIELD_BYTES_MAX = 100 * 1024;
const PARTS_MAX = 40;
const HEADERS_OF_A_PART = 20;
/** Larger writes make the parser skip a part without a word (@fastify/busboy 3.2). */
const SLICE_BYTES = 16 * 1024;

const tooLarge = () => new FormError(413, 'The form is too large.');

/** Reads multipart/form-data. Rejects with FormError. */
export async function readForm(stream: Readable, headers: NodeJS.Dict<string | string[]>): Promise<FormBody> {
  if (Number(headers['content-length'] ?? 0) > BODY_MAX) throw tooLarge();
  const parser = createParser(String(headers['content-type']));
  const form = collect(parser);
  // It may be rejected while a slice is written.
  form.catch(() => undefined);
  let bytes = 0;
  // The answer needs the connection, so an early end must not destroy it.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX) throw tooLarge();
    for (let from = 0; from < chunk.length; from += SLICE_BYTES) {
      const slice = chunk.subarray(from, from + SLICE_BYTES);
      const written = new Promise<void>((resolve) => void parser.write(slice, () => resolve()));
      await Promise.race([written, form]);
    }
  }
  parser.end();
  return form;
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: FIELD_BYTES_MAX, parts: PARTS_MAX, headerPairs: HEADERS_OF_A_PART },
    });
  } catch (error) {
    throw new FormError(400, 'The form has no usable boundary.', { cause: error });
  }
}

async function collect(parser: BusboyInstance): Promise<FormBody> {
  const fields = new Map<string, string>();
  const files: { name: string; content: Uint8Array }[] = [];
  let fileBytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (cause: unknown) => reject(new FormError(400, 'The form is not complete.', { cause }));
  parser.on('field', (name, value) => void fields.set(name, value));
  parser.on('file', (_field, stream, fileName) => {
    const name = fileName ?? '';
    let chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => {
      fileBytes += chunk.length;
      if (fileBytes > FILES_BYTES_MAX) chunks = [];
      else chunks.push(chunk);
    });
    stream.on('error', fail);
    stream.on('end', () => {
      // Without a chosen file a browser sends one without a name.
      if (name !== '') files.push({ name, content: new Uint8Array(Buffer.concat(chunks)) });
    });
  });
  parser.on('partsLimit', () => reject(tooLarge()));
  parser.on('error', fail);
  parser.on('finish', resolve);
  await promise;
  return { fields, files, fileBytes };
}
