import { snapshotOf, type Snapshot } from '../src/compatibility/index.ts';
import * as contracts from '../src/index.ts';
import { parties, type Party } from '../src/permissions/index.ts';

/** The contracts as they are checked out. */
export function contractsOfToday(version: string): Snapshot {
  const consumers = Object.values<Party>(parties).flatMap(({ consumes = [] }) => consumes);
  return snapshotOf(version, contracts, consumers);
}
