export type TestCounts = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** The counts in a line of jest's summary, such as `Tests: 1 failed, 14 passed, 15 total`; else zeros. */
export function countTests(line: string): TestCounts {
  const summary = /(?:^|\s)Tests:\s+(.*\d+ total)\s*$/.exec(line)?.[1] ?? '';
  const count = (kind: string): number => Number(new RegExp(`(\\d+) ${kind}`).exec(summary)?.[1] ?? 0);
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') + count('todo') };
}

export function addCounts(one: TestCounts, other: TestCounts): TestCounts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}
