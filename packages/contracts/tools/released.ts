import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plainJson, type Json, type Retired } from '../src/compatibility/index.ts';

/** What a release is: the commit that was deployed, and the subjects that go with the next one. */
export interface Release {
  readonly version: string;
  readonly commit: string;
  readonly retired: readonly Retired[];
}

/** What is taken down of a release: the contracts and the HTTP API. */
export type Part = 'contracts' | 'openapi';

const directory = new URL('../released/', import.meta.url);
const fileOf = (part: Part, version: string) => new URL(`${part}-${version}.json`, directory);
const releaseFile = new URL('release.json', directory);

const read = (file: URL): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Writes in the format that the checks ask for. */
function write(file: URL, document: Json): void {
  writeFileSync(file, JSON.stringify(document));
  execFileSync('oxfmt', [fileURLToPath(file)], { shell: process.platform === 'win32' });
}

/** The last release. */
export const lastRelease = (): Release => read(releaseFile) as Release;

export const writeRelease = (release: Release): void => write(releaseFile, plainJson(release));

/** One part of the last release. */
export const lastReleased = (part: Part): unknown => read(fileOf(part, lastRelease().version));

/** Takes down one part of a release. Names are in alphabetical order, so that two releases can be compared by eye. */
export const writeReleased = (part: Part, version: string, document: unknown): void =>
  write(fileOf(part, version), plainJson(document));

/** The version on the command line. Throws where there is none of the form 1.2.3. */
export function versionArgument(): string {
  const version = process.argv[2] ?? '';
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Which version? For example: -- 1.1.0');
  return version;
}
