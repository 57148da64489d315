import { constants, createWriteStream } from 'node:fs';
import { access, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../terminal.ts';
import { property } from '../values.ts';

/** The argument that stands for standard input. */
export const STDIN = '-';

/** A file of postings that can be read more than once. */
export interface Source {
  readonly path: string;
  readonly close: () => Promise<void>;
}

/** Checks a file, or copies standard input to a temporary one. Undefined if the signal ends that. Throws `UsageError`. */
export async function openSource(
  file: string,
  stdin: NodeJS.ReadableStream,
  signal: AbortSignal,
): Promise<Source | undefined> {
  if (file !== STDIN) {
    await checkReadable(file);
    return { path: file, close: async () => undefined };
  }
  const directory = await mkdtemp(join(tmpdir(), 'import-'));
  const close = () => rm(directory, { recursive: true, force: true });
  const path = join(directory, 'stdin');
  try {
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (failure) {
    await close();
    if (signal.aborted) return undefined;
    throw failure;
  }
  return { path, close };
}

async function checkReadable(file: string): Promise<void> {
  try {
    const found = await stat(file);
    if (found.isDirectory())
      throw new UsageError(`${file} is a directory. Give a file in it, or - for standard input.`);
    if (!found.isFile())
      throw new UsageError(`${file} is not a regular file. Pipe it instead: import - < ${file}`);
    await access(file, constants.R_OK);
  } catch (failure) {
    throw failure instanceof UsageError
      ? failure
      : new UsageError(unreadable(file, failure), { cause: failure });
  }
}

/** What is wrong with a file, and what to do. */
export function unreadable(file: string, failure: unknown): string {
  const code = property(failure, 'code');
  if (code === 'ENOENT') return `No such file: ${file}. Give the path of a file, or - for standard input.`;
  if (code === 'EACCES')
    return `${file} may not be read. Allow it (chmod u+r), or run the import as its owner.`;
  return `Cannot read ${file}: ${String(property(failure, 'message'))}. Give another file.`;
}
