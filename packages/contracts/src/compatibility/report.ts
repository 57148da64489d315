import type { Finding } from './change.ts';

/** Findings for people, those that break first; each with its pointer and why. Empty where there are none. */
export function report(findings: readonly Finding[]): string {
  const line = ({ pointer, breaking, what, why }: Finding) =>
    `${breaking ? 'BREAKS' : 'note  '} ${pointer}\n       ${what}: ${why}.`;
  const broken = findings.filter(({ breaking }) => breaking);
  const noted = findings.filter(({ breaking }) => !breaking);
  return [...broken, ...noted].map((finding) => `${line(finding)}\n`).join('');
}
