import { escapeControls } from '../terminal.ts';
import type { SyncResult } from './full-sync.ts';
import type { Summary } from './summary.ts';

const LABEL_WIDTH = 46;

function row(indent: number, label: string, count: number, remark = ''): string {
  const left = `${' '.repeat(indent)}${label}`.padEnd(LABEL_WIDTH);
  return `${left} ${String(count).padStart(7)}${remark && `  ${remark}`}`;
}

function quoted(text: string): string {
  return text && `“${escapeControls(text)}”`;
}

const LONG_EMPLOYERS = 'Send shorter names of employers with --employer-map (see import --help).';

const hasLongEmployers = ({ refusals }: Summary): boolean =>
  refusals.some(({ errors }) => errors.some(({ rule }) => rule === '#/employer too_long'));

/** Jobs that the file does not have. */
const syncRows = ({ closed, deleted, kept, leftAlone }: SyncResult): string[] => [
  row(0, 'not in the file, closed', closed),
  row(0, 'not in the file, deleted', deleted),
  row(0, 'not in the file, kept', kept),
  row(0, 'not in the file, left alone', leftAlone),
];

/** Formats the summary as text. */
export function summaryText(summary: Summary): string {
  const counts = [
    row(0, summary.dryRun ? 'would be created' : 'created', summary.created),
    row(0, summary.dryRun ? 'would be updated' : 'updated', summary.updated),
    row(0, 'unchanged', summary.unchanged),
  ];
  const lines = [
    ...counts,
    row(0, 'repaired', summary.repaired),
    ...summary.repairs.map(({ change, times, postings }) => row(2, change, times, `in ${postings} postings`)),
    row(0, 'synthesised description', summary.synthesised),
    ...summary.notes.map(({ code, postings, sample }) => row(0, code, postings, `e.g. ${quoted(sample)}`)),
    row(0, 'refused', summary.refused),
    ...summary.refusals.flatMap(({ code, postings, detail, errors }) => [
      row(2, code, postings, errors.length === 0 ? quoted(detail) : ''),
      ...errors.map((error) => row(4, error.rule, error.postings, quoted(error.detail))),
    ]),
    ...(summary.sync === undefined ? [] : syncRows(summary.sync)),
    ...(hasLongEmployers(summary) ? [LONG_EMPLOYERS] : []),
    `${summary.postings} postings in ${summary.seconds} s, ${summary.postingsPerSecond} per second`,
    ...(summary.refusedFile === undefined ? [] : [`Refused postings with reasons: ${summary.refusedFile}`]),
    ...(summary.repairedFile === undefined ? [] : [`Repairs: ${summary.repairedFile}`]),
    ...(summary.dryRun ? ['A dry run: nothing was written.'] : []),
    ...(summary.stopped === undefined ? [] : [summary.stopped]),
  ];
  return lines.join('\n');
}
