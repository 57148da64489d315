import type { Finding } from './change.ts';

/** How many places of one and the same change are named. */
const NAMED = 3;

/**
 * Findings for people, those that break first; each with its pointers and why. What happened to a part that many
 * documents share is said once. Empty where there are none.
 */
export function report(findings: readonly Finding[]): string {
  const broken = findings.filter(({ breaking }) => breaking);
  const noted = findings.filter(({ breaking }) => !breaking);
  return [...paragraphs('BREAKS', broken), ...paragraphs('note', noted)].join('');
}

function paragraphs(label: string, findings: readonly Finding[]): string[] {
  const groups = Map.groupBy(findings, ({ what, why }) => `       ${what}: ${why}.\n`);
  return [...groups].map(([text, group]) => {
    const places = group.slice(0, NAMED).map(({ pointer }) => pointer);
    if (group.length > NAMED) places.push(`and ${group.length - NAMED} more places`);
    return `${label.padEnd(6)} ${places.join('\n       ')}\n${text}`;
  });
}
