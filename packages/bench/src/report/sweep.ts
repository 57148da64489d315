import type { Cell } from '../sweep/cells.ts';
import type { Storage } from '../sweep/sweep.ts';
import { shown } from './table.ts';

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
  cells.flatMap(({ jobs, replicas, memory, variants }) =>
    variants.map(({ variant, wrong, perSecond, p50, p99, services, mongod, nats }) => [
      shown(jobs),
      String(replicas),
      wrong === 0 ? variant : `${variant} (${wrong} wrong answers)`,
      ...[perSecond, p50, p99, services, mongod, nats].map(shown),
      memory.toFixed(0),
    ]),
  );

export const storageHeader = [
  'Jobs',
  'Data MB',
  'On disk MB',
  'Indexes MB',
  'Bytes per job',
  'Of it indexes',
] as const;

export const storageRows = (storage: readonly Storage[]): string[][] =>
  storage.map(({ jobs, data, onDisk, indexes }) => [
    shown(jobs),
    ...[data, onDisk, indexes].map((bytes) => shown(bytes / 1e6)),
    shown((onDisk + indexes) / jobs),
    shown(indexes / jobs),
  ]);
