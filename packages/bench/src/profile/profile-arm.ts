import type { Group } from '../measure/account.ts';
import { type Arm, underLoad } from '../measure/arms.ts';
import type { ArmFigures } from '../measure/figures.ts';
import { type Inspected, record } from './inspector.ts';
import { type ProcessProfile, sharesOf } from './parts.ts';

type Say = (line: string) => void;

interface Process extends Inspected {
  readonly name: string;
  /** Measured CPU for each request. */
  readonly micros: number;
}

/** A process with less of the arm's CPU has no part in it, and sampling it would take CPU from those that have. */
const LEAST_SHARE = 0.01;

/** Runs the arm once more, while those of its processes are sampled that can be. */
export async function profileArm(
  arm: Arm,
  figures: Pick<ArmFigures, 'each' | 'services'>,
  groups: readonly Group[],
  { measureMs, say }: { readonly measureMs: number; readonly say: Say },
): Promise<ProcessProfile[]> {
  const processes = processesOf(figures, groups);
  if (processes.length === 0) return [];
  const tell: Say = (line) => say(`${arm.name}: ${line}`);
  const recordings = await eachOrSay(processes, tell, async (process) => ({
    ...process,
    ...(await record(process)),
  }));
  try {
    await underLoad(arm, measureMs);
    return await eachOrSay(recordings, tell, async ({ name, micros, stop }) => ({
      process: name,
      micros,
      ...sharesOf(await stop()),
    }));
  } finally {
    for (const { abandon } of recordings) abandon();
  }
}

const processesOf = (
  { each, services }: Pick<ArmFigures, 'each' | 'services'>,
  groups: readonly Group[],
): Process[] =>
  groups.flatMap(({ name, inspected }) => {
    const micros = each[name];
    if (micros === undefined || micros < services * LEAST_SHARE) return [];
    const processes = inspected?.() ?? [];
    return processes.map(({ pid, port }) => ({ pid, port, name, micros: micros / processes.length }));
  });

/** What is made of each process. One with which it fails is told and left out. */
async function eachOrSay<P extends Process, T>(
  processes: readonly P[],
  say: Say,
  make: (process: P) => Promise<T>,
): Promise<T[]> {
  const outcomes = await Promise.allSettled(processes.map(make));
  return outcomes.flatMap((outcome, place) => {
    if (outcome.status === 'fulfilled') return [outcome.value];
    say(`no profile of ${processes[place]?.name}: ${String(outcome.reason)}`);
    return [];
  });
}
