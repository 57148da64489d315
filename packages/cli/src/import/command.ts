import { statSync } from 'node:fs';
import { connect } from '../api/client.ts';
import { jobsApi } from '../api/jobs.ts';
import { exitCodes, print, type Terminal, UsageError } from '../terminal.ts';
import { countRecords, readRecords } from '../input/records.ts';
import { daysBetween, utcDate } from '../postings/calendar.ts';
import { readDataFile, resolveTarget } from '../settings.ts';
import type { TargetFlags } from '../settings.ts';
import { openReports, refusedLine, repairedLine } from './outputs.ts';
import type { Format } from './prepare.ts';
import { noProgress, progressBar } from './progress.ts';
import { runImport } from './run.ts';
import { summarise } from './summary.ts';
import type { Summary } from './summary.ts';
import { summaryText } from './summary-text.ts';
import { newTally } from './tally.ts';

export interface ImportFlags extends TargetFlags {
  readonly format?: Format;
  readonly asOf?: string;
  readonly repair?: boolean;
  readonly dryRun?: boolean;
  readonly concurrency: number;
  readonly refused?: string;
  readonly repaired?: string;
  readonly json?: boolean;
}

const INTERRUPTED = 'Interrupted.';

/** Runs `import <file>` and returns the exit code. Throws `UsageError` and the errors of `runImport`. */
export async function importCommand(file: string, flags: ImportFlags, terminal: Terminal): Promise<number> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`No such file: ${file}`);
  const dryRun = flags.dryRun === true;
  const { target, companyId } = dryRun
    ? { target: undefined, companyId: flags.company ?? 1 }
    : resolveTarget(flags, terminal.environment, readDataFile(terminal.dataDirectory, 'demo.json'));
  const reports = openReports(file, flags);
  const progress = terminal.interactive
    ? progressBar(await countRecords(file), terminal.stderr, terminal.now)
    : noProgress;
  const stop = new AbortController();
  const stopListening = terminal.onInterrupt(() => stop.abort(INTERRUPTED));
  const client = target && connect(target, { connections: flags.concurrency, signal: stop.signal });
  const tally = newTally();
  const today = utcDate(new Date(terminal.now()));
  const startedAt = terminal.now();
  try {
    await runImport({
      records: readRecords(file),
      prepare: {
        mapping: {
          companyId,
          today,
          shiftDays: flags.asOf === undefined ? 0 : daysBetween(flags.asOf, today),
        },
        format: flags.format,
        repair: flags.repair === true,
      },
      api: client && jobsApi(client),
      concurrency: flags.concurrency,
      tally,
      observer: {
        refused: (...args) => reports.refused.append(refusedLine(...args)),
        repaired: (...args) => reports.repaired.append(repairedLine(...args)),
        progress: progress.show,
      },
      stop,
    });
  } finally {
    progress.stop();
    stopListening();
    await client?.close();
  }
  const summary = summarise({
    tally,
    file,
    company: companyId,
    dryRun,
    milliseconds: terminal.now() - startedAt,
    refusedFile: reports.refused.path(),
    repairedFile: reports.repaired.path(),
    stopped: stop.signal.aborted ? String(stop.signal.reason) : undefined,
  });
  print(terminal.stdout, `${flags.json === true ? JSON.stringify(summary) : summaryText(summary)}\n`);
  return exitCodeOf(summary);
}

function exitCodeOf({ stopped, refused }: Summary): number {
  if (stopped === INTERRUPTED) return exitCodes.interrupted;
  return stopped === undefined && refused === 0 ? exitCodes.done : exitCodes.incomplete;
}
