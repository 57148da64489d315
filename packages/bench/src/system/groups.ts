import { serviceNames } from '@joblisting/e2e/harness';
import type { Group } from '../measure/account.ts';
import type { Baseline } from './baseline.ts';
import type { Product } from './product.ts';
import type { Servers } from './servers.ts';

/** Every process of a run: services, servers, the baseline, and this one, which is the load. */
export const groupsOf = (servers: Servers, product: Product, baseline?: Baseline): Group[] => [
  ...serviceNames.map((name) => ({
    name,
    pids: () => product.pids(name),
    inspected: () => product.inspected(name),
  })),
  ...Object.entries(servers.pids).map(([name, pid]) => ({ name, pids: () => [pid] })),
  ...(baseline?.processes ?? []).map(({ name, pid }) => ({ name, pids: () => [pid] })),
  { name: 'load', pids: () => [process.pid] },
];
