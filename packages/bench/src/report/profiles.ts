import type { Result } from '../measure/result.ts';
import type { ProcessProfile } from '../profile/parts.ts';
import { markdownTable, shown } from './table.ts';

const ABOUT = `# Where the CPU goes

Shares are of the samples in which a process was busy, each counted to the function that ran. The microseconds are
that share of the CPU that the process took for each request in the measured rounds. A native function has no file;
beside it stands for whom it works. Few samples tell only the large parts.`;

const percent = (share: number): string => (share * 100).toFixed(1);

function tablesOf({ process, micros, samples, parts, functions }: ProcessProfile): string[] {
  const figures = (share: number): string[] => [percent(share), shown(share * micros)];
  return [
    `### ${process}: ${shown(micros)} µs a request, ${samples} samples`,
    markdownTable(
      ['Part', '%', 'µs a request'],
      parts.map(({ name, share }) => [name, ...figures(share)]),
    ),
    markdownTable(
      ['Function', 'File', '%', 'µs a request'],
      functions.map(({ name, file, share }) => [name, file, ...figures(share)]),
    ),
  ];
}

/** Where the CPU of each arm goes, process by process, in Markdown; undefined where nothing was profiled. */
export function profilesMarkdown(results: readonly Result[]): string | undefined {
  const sections = results.flatMap(({ scenario, arms }) =>
    arms.flatMap(({ arm, profiles = [] }) =>
      profiles.length === 0 ? [] : [`## ${scenario}: ${arm}`, ...profiles.flatMap(tablesOf)],
    ),
  );
  if (sections.length === 0) return undefined;
  return `${[ABOUT, ...sections].join('\n\n')}\n`;
}
