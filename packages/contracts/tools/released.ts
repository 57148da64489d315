import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Json, plainJson, type Retired, type Snapshot, snapshotOf } from '../src/compatibility/index.ts';
import * as contracts from '../src/index.ts';
import { parties, type Party } from '../src/permissions/index.ts';

/** A release: the deployed commit, and the subjects that the next release removes. */
export interface Release {
  readonly version: string;
  readonly commit: string;
  readonly retired: readonly Retired[];
}

/** What a release file records: the contracts or the HTTP API. */
export type Part = 'contracts' | 'openapi';

const directory = new URL('../released/', import.meta.url);
const fileOf = (part: Part, version: string) => new URL(`${part}-${version}.json`, directory);
const releaseFile = new URL('release.json', directory);

const read = (file: URL): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Writes and formats a JSON file. */
function write(file: URL, document: Json): void {
  writeFileSync(file, JSON.stringify(document));
  execFileSync('oxfmt', [fileURLToPath(file)], { shell: process.platform === 'win32' });
}

/** The last release. */
export const lastRelease = (): Release => read(releaseFile) as Release;

export const writeRelease = (release: Release): void => write(releaseFile, plainJson(release));

/** One part of the last release. */
export const lastReleased = (part: Part): unknown => read(fileOf(part, lastRelease().version));

/** Writes one part of a release, with sorted names so that a diff shows the changes. */
export const writeReleased = (part: Part, version: string, document: unknown): void =>
  write(fileOf(part, version), plainJson(document));

/** Reads the version from the command line. Throws unless it has the form 1.2.3. */
export function versionArgument(): string {
  const version = process.argv[2] ?? '';
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Give the version, for example: -- 1.1.0');
  return version;
}

/** The snapshot of the contracts that are checked out. */
export function currentContracts(version: string): Snapshot {
  const consumers = Object.values<Party>(parties).flatMap(({ consumes = [] }) => consumes);
  return snapshotOf(version, contracts, consumers);
}
