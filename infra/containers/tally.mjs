import { isDeepStrictEqual } from 'node:util';

export const say = (line = '') => process.stdout.write(`${line}\n`);

/** Counts what held and what did not, a line each. */
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
    /** A part of the run: what it throws is one more failure, and the others still come. */
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
