import type { Seeded } from '../seed/seed.ts';
import type { Group } from '../measure/account.ts';
import type { Findings } from '../measure/result.ts';
import type { Sizes } from '../sizes.ts';
import type { Baseline } from '../system/baseline.ts';
import type { Servers } from '../system/servers.ts';

/** What scenarios measure with. */
export interface Bench {
  readonly sizes: Sizes;
  readonly servers: Servers;
  readonly seeded: Seeded;
  readonly plainBus: Baseline;
  /** Every process of the run, in groups. */
  readonly groups: readonly Group[];
  /** Postings to import, where the generator's are not wanted. */
  readonly postingsFile: string | undefined;
  readonly say: (line: string) => void;
}

export interface Scenario {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<Findings>;
}
