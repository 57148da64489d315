import { isDeepStrictEqual } from 'node:util';

export const say = (line = '') => process.stdout.write(`${line}\n`);

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Counts and prints the outcome of each check. */
export function createTally() {
  const counts = { passed: 0, failed: 0 };
  const note = (what, problem) => {
    counts[problem === undefined ? 'passed' : 'failed'] += 1;
    say(problem === undefined ? `  ok      ${what}` : `  FAILED  ${what}: ${problem}`);
  };
  return {
    counts,
    note,
    add: (passed, failed) => {
      counts.passed += passed;
      counts.failed += failed;
    },
    equal: (what, actual, expected) =>
      note(
        what,
        isDeepStrictEqual(actual, expected)
          ? undefined
          : `${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`,
      ),
    /** Runs a part. An error counts as one failure, and the next part still runs. */
    part: async (title, work) => {
      say(`\n${title}`);
      try {
        await work();
      } catch (error) {
        note(title, error.message);
      }
    },
  };
}
