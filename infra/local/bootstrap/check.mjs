import { join } from 'node:path';
import { passThrough } from './command.mjs';
import { root } from './paths.mjs';

const bin = join(root, 'node_modules', '.bin');
const description = 'services/gateway/openapi.json';

/** Redocly's command line would look for a new version of itself, and report its use. */
const withoutCalls = { REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' };

/** Every check that needs no server. Lint reads the types that the build makes, so build first. */
export const checks = [
  { name: 'build', command: 'turbo', args: ['run', 'build', '--output-logs=errors-only'] },
  { name: 'types', command: 'turbo', args: ['run', 'typecheck', '--output-logs=errors-only'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  {
    name: 'import rules',
    command: 'depcruise',
    args: ['--config', '.dependency-cruiser.cjs', 'services', 'packages', 'infra'],
  },
  {
    name: 'generated files',
    command: 'node',
    args: ['--conditions=@joblisting/source', 'infra/generate/main.mjs', '--check'],
  },
  { name: 'format', command: 'oxfmt', args: ['--check', '.'] },
  // The build has written the description.
  {
    name: 'API description (Redocly)',
    command: 'redocly',
    args: ['lint', description, '--config=services/gateway/redocly.yaml'],
  },
  {
    name: 'API description (Spectral)',
    command: 'spectral',
    args: ['lint', description, '--ruleset=services/gateway/.spectral.yaml', '--fail-severity=warn'],
  },
  {
    name: 'kubernetes',
    command: 'node',
    args: ['--conditions=@joblisting/source', 'infra/kubernetes/check/main.mjs'],
  },
];

/** Runs every check, even after a failure, and returns the exit code. */
export async function runChecks(env) {
  const outcomes = [];
  for (const { name, command, args } of checks) {
    console.log(`\n── ${name}`);
    const code = await passThrough(join(bin, command), args, {
      cwd: root,
      env: { ...env, ...withoutCalls },
      shell: process.platform === 'win32',
    });
    outcomes.push({ name, passed: code === 0 });
  }
  const failed = outcomes.filter(({ passed }) => !passed).map(({ name }) => name);
  const passed = outcomes.length - failed.length;
  console.log(
    `\nChecks: ${passed} passed, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(', ')}` : ''}`,
  );
  return failed.length === 0 ? 0 : 1;
}
