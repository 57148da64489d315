// Records the checked-out contracts as a release (README, "A release").
import { execFileSync } from 'node:child_process';
import { currentContracts, versionArgument, writeRelease, writeReleased } from './released.ts';

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();

const version = versionArgument();
const sources = ['services', 'packages'].map((folder) => `:(top)${folder}/*/src`);
const uncommitted = git('status', '--porcelain', '--', ...sources);
if (uncommitted !== '') throw new Error(`Commit these changes before the release:\n${uncommitted}`);

writeReleased('contracts', version, currentContracts(version));
writeRelease({ version, commit: git('rev-parse', 'HEAD'), retired: [] });
