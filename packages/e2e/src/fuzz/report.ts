/** The part of schemathesis' JSON report that a run reads. */
export interface FuzzReport {
  readonly complete: boolean;
  readonly operations: { readonly selected: number; readonly tested: number } | null;
  readonly test_cases: { readonly generated: number; readonly with_failures: number };
  readonly failures: readonly {
    readonly title: string;
    readonly count: number;
    readonly operations: readonly string[];
  }[];
  readonly errors: readonly { readonly title: string; readonly count: number }[];
  readonly warnings: Readonly<Record<string, readonly string[]>>;
}

interface FuzzCounts {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts passed and failed operations. Each error, warning and untested operation counts as a failure, because something
 * was not tested.
 */
export function countOperations(report: FuzzReport): FuzzCounts {
  const { selected, tested } = report.operations ?? { selected: 0, tested: 0 };
  const broken = new Set(report.failures.flatMap(({ operations }) => operations)).size;
  const others =
    report.errors.length +
    Object.values(report.warnings).filter((operations) => operations.length > 0).length +
    (selected - tested) +
    (report.complete && selected > 0 ? 0 : 1);
  return { passed: tested - broken, failed: broken + others };
}
