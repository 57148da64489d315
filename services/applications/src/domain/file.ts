import { type ApplicationFile, FILE_NAME_MAX, FILES_BYTES_MAX, type Violation } from '@joblisting/contracts';
import { fileTypeFromBuffer } from 'file-type';

/** A file as it was sent. */
export interface SentFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A file of an application. `storedAs` is its id in the file store. */
export interface StoredFile extends ApplicationFile {
  readonly storedAs: string;
}

/** Media types that are accepted, each with the extensions that a file of it may have. */
const extensionsOf = new Map<string, readonly string[]>([
  ['application/pdf', ['pdf']],
  ['application/msword', ['doc']],
  ['application/rtf', ['rtf']],
  ['application/vnd.oasis.opendocument.text', ['odt']],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', ['docx']],
  ['image/jpeg', ['jpg', 'jpeg']],
  ['image/png', ['png']],
  ['text/plain', ['txt', 'md']],
]);
/** How the files begin whose type the library tells; it spends too long on others. */
const SIGNATURES = ['%PDF', '{\\rtf', 'PK\x03\x04', '\x89PNG', '\xff\xd8\xff', '\xd0\xcf\x11\xe0'].map(
  (text) => Buffer.from(text, 'latin1'),
);
/** The library finds the type of an archive among its first entries. */
const LOOKED_AT_BYTES = 512 * 1024;
/** The container of Word's older format, and of others. */
const COMPOUND_FILE = 'application/x-cfb';
/** The name of the stream that only Word documents have (MS-DOC, section 2.1.1). */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');
/** Control characters, and characters that change the direction of text: a name could hide its extension. */
const FORBIDDEN_IN_NAME = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** The same bytes, not copied. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** The media type that the bytes say, whatever the name is; undefined for one that is not accepted. */
export async function acceptedTypeOf(content: Uint8Array): Promise<string | undefined> {
  const bytes = bufferOf(content);
  if (SIGNATURES.some((signature) => bytes.subarray(0, signature.length).equals(signature))) {
    const found = await fileTypeFromBuffer(bytes.subarray(0, LOOKED_AT_BYTES)).catch(() => undefined);
    if (found?.mime === COMPOUND_FILE) return bytes.includes(WORD_STREAM) ? 'application/msword' : undefined;
    return found && extensionsOf.has(found.mime) ? found.mime : undefined;
  }
  return content.length > 0 && isPlainText(content) ? 'text/plain' : undefined;
}

/**
 * The name, with an extension of its type after one of another: mail programs open a file by its extension, and a script
 * is plain text.
 */
export function safeName(name: string, type: string): string {
  const [first = 'bin', ...others] = extensionsOf.get(type) ?? [];
  const extension = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return [first, ...others].includes(extension) ? name : `${name}.${first}`;
}

const [TAB, LINE_FEED, FORM_FEED, CARRIAGE_RETURN, SPACE, DELETE] = [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x7f];
const allowedControls = new Set([TAB, LINE_FEED, FORM_FEED, CARRIAGE_RETURN]);

/** Without control characters, in whatever encoding that has ASCII's. */
function isPlainText(content: Uint8Array): boolean {
  for (const byte of content) {
    if ((byte < SPACE && !allowedControls.has(byte)) || byte === DELETE) return false;
  }
  return true;
}

/** The last part of a name that may hold a path of either system. */
export const baseName = (name: string): string => name.split(/[/\\]/).at(-1)?.trim() ?? '';

/** What is wrong with the name of a file, after `baseName`; undefined for a good one. */
export function faultOfName(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'A file must have a name.';
  if (Array.from(name).length > FILE_NAME_MAX) return `A file name has at most ${FILE_NAME_MAX} characters.`;
  if (FORBIDDEN_IN_NAME.test(name) || !name.isWellFormed()) {
    return 'A file name must not have control or bidirectional characters.';
  }
  return undefined;
}

/** A file that is accepted, with the media type that its bytes say. */
export interface AcceptedFile extends SentFile {
  readonly type: string;
}

/**
 * Judges what was sent as files: all faults with pointers, and the files that have none. JSON has no bytes, so there it
 * is a fault to send files at all.
 */
export async function judgeFiles(
  sent: unknown,
): Promise<{ readonly faults: Violation[]; readonly accepted: AcceptedFile[] }> {
  const files: readonly (Partial<SentFile> | null)[] = Array.isArray(sent) ? sent : [];
  const faults: Violation[] = [];
  const accepted: AcceptedFile[] = [];
  const bytes = files.reduce((sum, file) => sum + (file?.content?.length ?? 0), 0);
  if (bytes > FILES_BYTES_MAX) {
    const detail = `The files have ${bytes} bytes together; at most ${FILES_BYTES_MAX} are accepted.`;
    faults.push({ pointer: '#/files', code: 'too_long', detail });
  }
  for (const [index, file] of files.entries()) {
    const judged = await judgeFile(file, `#/files/${index}`);
    if (Array.isArray(judged)) faults.push(...judged);
    else accepted.push(judged);
  }
  return { faults, accepted };
}

async function judgeFile(
  file: Partial<SentFile> | null,
  pointer: string,
): Promise<AcceptedFile | Violation[]> {
  const { name = '', content } = file ?? {};
  if (!ArrayBuffer.isView(content)) {
    const detail = 'Files must be parts of multipart/form-data.';
    return [{ pointer, code: 'type', detail }];
  }
  const type = await acceptedTypeOf(content);
  const fault = faultOfName(name);
  const faults: Violation[] = [];
  if (fault !== undefined) faults.push({ pointer, code: 'invalid_value', detail: fault });
  if (type !== undefined && fault === undefined) return { name, content, type };
  if (type === undefined) {
    const detail = 'The bytes must be a PDF, DOC, DOCX, ODT, RTF, TXT, PNG or JPEG file.';
    faults.push({ pointer, code: 'file_type', detail });
  }
  return faults;
}

/** A file to store, under a new id of the file store. */
interface NewFile extends AcceptedFile {
  readonly storedAs: string;
}

export const newFiles = (accepted: readonly AcceptedFile[], newId: () => string): NewFile[] =>
  accepted.map(({ name, type, content }) => ({ name, type, content, storedAs: newId() }));

/** New files as an application has them. */
export const storedFiles = (files: readonly NewFile[], scan: ApplicationFile['scan']): StoredFile[] =>
  files.map(({ name, type, content, storedAs }, index) => ({
    id: index + 1,
    name: safeName(name, type),
    type,
    size: content.length,
    scan,
    storedAs,
  }));
