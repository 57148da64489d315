import { inTransaction, type Mongo } from '@joblisting/service-kit';
import { type Release, releasedBy } from '../domain/release.ts';
import { collections } from './collections.ts';
import { ledger, toReference } from './ledger.ts';

/** Releases for many jobs at once, in one transaction. Resolves to how many references each one dropped. */
export function releaseAll(mongo: Mongo) {
  const { categories, references } = collections(mongo);
  const { drop } = ledger({ categories, references });

  return (releases: readonly Release[], deadline: number): Promise<number[]> =>
    inTransaction(mongo, deadline, async (session) => {
      const jobId = { $in: [...new Set(releases.map((release) => release.jobId))] };
      const rows = await references.find({ jobId }, { session }).toArray();
      const dropped = releasedBy(releases, rows.map(toReference));
      await drop(dropped.flat(), session);
      return dropped.map(({ length }) => length);
    });
}
