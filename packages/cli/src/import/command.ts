import type { Client } from '@joblisting/client';
import { exitCodes, print, type Terminal, UsageError } from '../terminal.ts';
import { readEmployerMap } from '../input/employer-map.ts';
import { countRecords, readRecords } from '../input/records.ts';
import { openSource, STDIN } from '../input/source.ts';
import { daysBetween, utcDate } from '../postings/calendar.ts';
import { readDataFile, resolveTarget } from '../settings.ts';
import type { TargetFlags } from '../settings.ts';
import { connect } from './client.ts';
import {
  type FullSync,
  type Missing,
  startFullSync,
  type SyncOptions,
  type SyncResult,
} from './full-sync.ts';
import { openReports, refusedLine, repairedLine } from './outputs.ts';
import type { Format, PrepareOptions } from './prepare.ts';
import { noProgress, progressBar } from './progress.ts';
import { runImport } from './run.ts';
import { summarise } from './summary.ts';
import type { Summary } from './summary.ts';
import { summaryText } from './summary-text.ts';
import { newTally, processedIn, type Tally } from './tally.ts';

export interface ImportFlags extends TargetFlags {
  readonly format?: Format;
  readonly asOf?: string;
  readonly employerMap?: string;
  readonly repair?: boolean;
  readonly dryRun?: boolean;
  readonly sync?: boolean;
  readonly scope?: string;
  readonly expectedCount?: number;
  readonly missing?: Missing;
  readonly maxMissingPercent?: number;
  readonly concurrency: number;
  readonly refused?: string;
  readonly repaired?: string;
  readonly json?: boolean;
}

const INTERRUPTED = 'Interrupted.';

/** Runs `import <file>` and returns the exit code. Throws `UsageError` and the errors of `runImport`. */
export async function importCommand(file: string, flags: ImportFlags, terminal: Terminal): Promise<number> {
  const job = { file, flags, terminal, ...settingsOf(flags, terminal) };
  const stop = new AbortController();
  const stopListening = terminal.onInterrupt(() => stop.abort(INTERRUPTED));
  try {
    const source = await openSource(file, terminal.stdin, stop.signal);
    if (source === undefined) {
      print(terminal.stderr, 'Interrupted. Nothing was imported.\n');
      return exitCodes.interrupted;
    }
    try {
      const summary = await importFile(job, source.path, stop);
      print(terminal.stdout, `${flags.json === true ? JSON.stringify(summary) : summaryText(summary)}\n`);
      return exitCodeOf(summary, stop.signal);
    } finally {
      await source.close();
    }
  } finally {
    stopListening();
  }
}

interface ImportJob {
  readonly file: string;
  readonly flags: ImportFlags;
  readonly terminal: Terminal;
  readonly prepare: PrepareOptions;
  readonly client: Client;
}

/** Everything that flags, environment and the demo say. Throws `UsageError`, before anything is read. */
function settingsOf(flags: ImportFlags, terminal: Terminal): Pick<ImportJob, 'prepare' | 'client'> {
  refuseContradictions(flags);
  const demo = readDataFile(terminal.dataDirectory, 'demo.json');
  const { target, companyId } = resolveTarget(flags, terminal.environment, demo);
  const today = utcDate(new Date(terminal.now()));
  const shiftDays = flags.asOf === undefined ? 0 : daysBetween(flags.asOf, today);
  return {
    prepare: {
      mapping: { companyId, today, shiftDays },
      format: flags.format,
      employers: flags.employerMap === undefined ? new Map() : readEmployerMap(flags.employerMap),
      repair: flags.repair === true,
    },
    client: connect(target),
  };
}

async function importFile(job: ImportJob, path: string, stop: AbortController): Promise<Summary> {
  const { file, flags, terminal, prepare, client } = job;
  const dryRun = flags.dryRun === true;
  const reports = openReports(file === STDIN ? 'stdin' : file, flags);
  const progress = terminal.interactive
    ? progressBar(await countRecords(path), terminal.stderr, terminal.now)
    : noProgress;
  const tally = newTally();
  const startedAt = terminal.now();
  let synced: SyncResult | string | undefined;
  try {
    const sync =
      flags.sync === true ? await startFullSync(client.syncs, syncOptionsOf(job, stop.signal)) : undefined;
    await runImport({
      records: readRecords(path),
      prepare,
      jobs: client.jobs,
      sync,
      dryRun,
      concurrency: flags.concurrency,
      tally,
      observer: {
        refused: (...args) => reports.refused.append(refusedLine(...args)),
        repaired: (...args) => reports.repaired.append(repairedLine(...args)),
        progress: progress.show,
      },
      stop,
    });
    if (sync && !stop.signal.aborted) synced = await commit(sync, stop.signal);
  } finally {
    progress.stop();
  }
  return summarise({
    tally,
    file,
    company: prepare.mapping.companyId,
    dryRun,
    milliseconds: terminal.now() - startedAt,
    refusedFile: reports.refused.path(),
    repairedFile: reports.repaired.path(),
    sync: typeof synced === 'object' ? synced : undefined,
    stopped: typeof synced === 'string' ? synced : await whyStopped(stop.signal, tally, path),
  });
}

const syncOptionsOf = ({ flags, prepare }: ImportJob, signal: AbortSignal): SyncOptions => ({
  companyId: prepare.mapping.companyId,
  scope: flags.scope,
  expectedCount: flags.expectedCount,
  missing: flags.missing ?? 'close',
  maxMissingPercent: flags.maxMissingPercent,
  signal,
});

/** Undefined if an interrupt ended it. */
async function commit(sync: FullSync, signal: AbortSignal): Promise<SyncResult | string | undefined> {
  try {
    return await sync.commit();
  } catch (failure) {
    if (signal.aborted) return undefined;
    throw failure;
  }
}

function refuseContradictions(flags: ImportFlags): void {
  const { sync, dryRun, scope, expectedCount, missing, maxMissingPercent } = flags;
  if (sync === true && dryRun === true) throw new UsageError('--sync has no dry run: leave --dry-run out.');
  if (sync !== true && (scope ?? expectedCount ?? missing ?? maxMissingPercent) !== undefined)
    throw new UsageError('--scope, --expected-count, --missing and --max-missing-percent need --sync.');
}

async function whyStopped(
  { aborted, reason }: AbortSignal,
  tally: Tally,
  path: string,
): Promise<string | undefined> {
  if (!aborted) return undefined;
  if (reason !== INTERRUPTED) return `Stopped early: ${String(reason)}`;
  const progress = `${processedIn(tally)} of ${await countRecords(path)}`;
  return `Interrupted after ${progress}. Run the same command again to continue; nothing is created twice.`;
}

function exitCodeOf({ refused, stopped }: Summary, { aborted, reason }: AbortSignal): number {
  if (reason === INTERRUPTED) return exitCodes.interrupted;
  return !aborted && refused === 0 && stopped === undefined ? exitCodes.done : exitCodes.incomplete;
}
