import { join } from 'node:path';
import { onOrphaned } from '../bootstrap/command.mjs';
import { root } from '../bootstrap/paths.mjs';
import { createSteps, Problem, type Steps } from '../bootstrap/terminal.mjs';
import { openRunFile, readJson } from './data-files.ts';
import { infoLevel, openLogs, supervisorLog } from './logs.ts';
import { type DataLock, lockData } from './lock.ts';
import { requireFreePort } from './network.ts';
import { startGuard } from './processes/child.ts';
import type { Service } from './services.ts';
import { readSettings, type Settings } from './settings.ts';
import { startSystem, type System } from './system.ts';

export type RunOptions = {
  readonly services: readonly Service[];
  /** Runs once everything is ready. Its result is printed. */
  readonly ready: (settings: Settings, system: System, steps: Steps, signal: AbortSignal) => Promise<string>;
};

/**
 * Runs `npm start`: checks the settings, starts everything, waits for a signal, stops everything.
 * @returns the exit code
 */
export async function run(options: RunOptions): Promise<number> {
  const stopping = new AbortController();
  const stop = (why: string): void => stopping.abort(why);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  // The channel closes when the parent process ends.
  process.once('disconnect', () => stop('the end of its parent'));
  process.channel?.unref();
  onOrphaned(() => stop('the end of npm'))?.unref();
  try {
    await runUntil(options, stopping.signal);
    return 0;
  } catch (error) {
    if (stopping.signal.aborted) return 0;
    console.error(error instanceof Problem ? error.message : error);
    return 1;
  }
}

async function runUntil(options: RunOptions, signal: AbortSignal): Promise<void> {
  const settings = readSettings(process.env);
  const lock = await lockData(settings.dataDir);
  try {
    await requireFreePort(settings.host, settings.port, 'PORT');
    await requireFreePort(settings.host, settings.sitePort, 'SITE_PORT');
    await runLocked(settings, lock, options, signal);
  } finally {
    lock.release();
  }
}

async function runLocked(
  settings: Settings,
  lock: DataLock,
  { services, ready }: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const runFile = openRunFile(settings.dataDir);
  const binaries = { mongod: process.env['MONGOD_BIN'], natsServer: process.env['NATS_SERVER_BIN'] };
  const steps = createSteps();
  // While stopping, services lose their servers on purpose.
  const show = (line: string): void => {
    if (!signal.aborted) console.error(line);
  };
  const logDir = openLogs(settings.dataDir);
  const log = supervisorLog(logDir);
  const report = (line: string): void => {
    if (!signal.aborted) log.record(line);
    show(line);
  };
  const { version } = readJson<{ version: string }>(join(root, 'package.json')) ?? {};
  log.record(`starting version ${version} on port ${settings.port}`, infoLevel);
  const guard = startGuard();
  let system: System | undefined;
  try {
    system = await startSystem(
      { settings, services, logDir, binaries, lock, runFile, guard, steps, show, report },
      signal,
    );
    const interrupted = untilAborted(signal);
    const greeting = await Promise.race([ready(settings, system, steps, signal), interrupted]);
    if (greeting !== undefined) console.log(greeting);
    await interrupted;
    console.log('\nStopping ...');
  } finally {
    if (signal.aborted) log.record(`stopping after ${String(signal.reason)}`, infoLevel);
    await system?.stop();
    await log.close();
    runFile.remove();
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
