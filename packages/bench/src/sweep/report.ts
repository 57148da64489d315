import { type Line, lineChart } from '../report/lines.ts';
import { shown } from '../report/table.ts';
import type { Cell } from './cells.ts';
import type { Storage, Sweep } from './sweep.ts';

export const cellHeader = [
  'Jobs',
  'Replicas',
  'Request',
  'Requests/s',
  'p50 ms',
  'p99 ms',
  'Services µs',
  'mongod µs',
  'NATS µs',
  'jobs MB',
] as const;

export const cellRows = (cells: readonly Cell[]): string[][] =>
  cells.flatMap(({ jobs, replicas, memory, arms }) =>
    arms.map(({ arm, wrong, perSecond, p50, p99, services, mongod, nats }) => [
      shown(jobs),
      String(replicas),
      wrong === 0 ? arm : `${arm} (${wrong} wrong answers)`,
      ...[perSecond, p50, p99, services, mongod, nats].map(shown),
      memory.toFixed(0),
    ]),
  );

export const storageHeader = [
  'Jobs',
  'Data MB',
  'On disk MB',
  'Indexes MB',
  'Bytes a job',
  'Of it indexes',
] as const;

export const storageRows = (storage: readonly Storage[]): string[][] =>
  storage.map(({ jobs, data, onDisk, indexes }) => [
    shown(jobs),
    ...[data, onDisk, indexes].map((bytes) => shown(bytes / 1e6)),
    shown((onDisk + indexes) / jobs),
    shown(indexes / jobs),
  ]);

type Figure = (arm: Cell['arms'][number]) => number;

/** A line for each request and number of replicas among those chosen, over the number of jobs. */
function linesOf(
  cells: readonly Cell[],
  figure: Figure,
  isShown: (arm: string, replicas: number) => boolean,
): Line[] {
  const lines = new Map<string, { x: number; y: number }[]>();
  for (const { jobs, replicas, arms } of cells) {
    for (const arm of arms.filter(({ arm: name }) => isShown(name, replicas))) {
      const name = `${arm.arm}, ${replicas}`;
      lines.set(name, [...(lines.get(name) ?? []), { x: jobs, y: figure(arm) }]);
    }
  }
  return [...lines].map(([name, points]) => ({ name, points }));
}

/** Charts by the name of their file. */
export function sweepCharts({ cells }: Sweep): Record<string, string> {
  const fewest = Math.min(...cells.map(({ replicas }) => replicas));
  const axes = { xLabel: 'jobs, half of them of one company' };
  return {
    'sweep-services.svg': lineChart({
      ...axes,
      title: 'CPU of gateway and services for each request',
      yLabel: 'µs; request, replicas of jobs',
      lines: linesOf(
        cells,
        ({ services }) => services,
        (_arm, replicas) => replicas === fewest,
      ),
    }),
    'sweep-mongod.svg': lineChart({
      ...axes,
      title: 'CPU of mongod for each request',
      yLabel: 'µs; request, replicas of jobs',
      lines: linesOf(
        cells,
        ({ mongod }) => mongod,
        (_arm, replicas) => replicas === fewest,
      ),
    }),
    'sweep-rate.svg': lineChart({
      ...axes,
      title: 'Requests a second at 32 connections',
      yLabel: 'request, replicas of jobs',
      lines: linesOf(
        cells,
        ({ perSecond }) => perSecond,
        (arm) => arm === 'GET job' || arm === 'POST',
      ),
    }),
  };
}
