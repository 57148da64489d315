import type { Violation, ViolationCode, Warning, WarningCode } from '@joblisting/contracts';

/** The results of the rules about a body: violations refuse it, warnings go with the answer. */
export interface Findings {
  readonly violations: Violation[];
  readonly warnings: Warning[];
  readonly violate: (pointer: string, code: ViolationCode, detail: string) => void;
  readonly warn: (pointer: string, code: WarningCode, detail: string) => void;
}

export function newFindings(): Findings {
  const violations: Violation[] = [];
  const warnings: Warning[] = [];
  return {
    violations,
    warnings,
    violate: (pointer, code, detail) => violations.push({ pointer, code, detail }),
    warn: (pointer, code, detail) => warnings.push({ pointer, code, detail }),
  };
}
