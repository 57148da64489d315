// Takes down the contracts of the commit that is checked out as those of a release: README, "A release".
import { execFileSync } from 'node:child_process';
import { versionArgument, writeRelease, writeReleased } from './released.ts';
import { contractsOfToday } from './today.ts';

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();

const version = versionArgument();
const sources = ['services', 'packages'].map((folder) => `:(top)${folder}/*/src`);
const uncommitted = git('status', '--porcelain', '--', ...sources);
if (uncommitted !== '') throw new Error(`A release is a commit; these are not in it:\n${uncommitted}`);

writeReleased('contracts', version, contractsOfToday(version));
writeRelease({ version, commit: git('rev-parse', 'HEAD'), retired: [] });
