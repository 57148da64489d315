import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Exports, type Snapshot, snapshotOf } from '@joblisting/contracts/compatibility';
import { lastRelease, lastReleased } from '@joblisting/contracts/released';
import { makeWorld, type World } from '../../src/index.ts';
import { type ServiceName, serviceNames } from '@joblisting/testing/system';
import { type Fleet, type Release, startFleet } from './fleet.ts';
import { repository, sourcesOf } from './sources.ts';
import { createStory, type Story } from './story.ts';

const { version, commit } = lastRelease();
const sources = sourcesOf(commit);
const why = 'missing' in sources ? sources.missing : '';
if (why) process.stderr.write(`\nSkipped: services of ${version} beside those of today: ${why}.\n`);

const allBut = (...names: readonly ServiceName[]) => serviceNames.filter((name) => !names.includes(name));

/** One after the other on the same data: what one release has written, the other reads. */
const fleets: readonly [string, Release, readonly ServiceName[]][] = [
  [`all of ${version}`, 'last', serviceNames],
  [`jobs of today, the rest of ${version}`, 'today', ['jobs']],
  [`the gateway of ${version}, the rest of today`, 'last', ['gateway']],
  ['all of today', 'today', serviceNames],
  [`jobs of ${version}, the rest of today`, 'last', ['jobs']],
  [`the gateway of today, the rest of ${version}`, 'last', allBut('gateway')],
  ['all of today again', 'today', serviceNames],
];

(why ? it.skip : it)(`what is held of ${version} is what its commit says`, async () => {
  const root = 'root' in sources ? sources.root : '';
  const exports = (await import(`${root}/packages/contracts/src/index.ts`)) as Exports;
  const held = lastReleased('contracts') as Snapshot;
  const { operations, events, streams, errorCodes } = snapshotOf(version, { ...held, ...exports }, []);
  expect({ operations, events, streams, errorCodes }).toEqual({
    operations: held.operations,
    events: held.events,
    streams: held.streams,
    errorCodes: held.errorCodes,
  });
});

(why ? describe.skip : describe)('two releases side by side', () => {
  let fleet: Fleet;
  let world: World;
  let story: Story;

  beforeAll(async () => {
    const root = 'root' in sources ? sources.root : '';
    fleet = await startFleet({ last: root, today: repository });
  });
  afterAll(async () => {
    await world?.operator.close();
    await fleet?.stop();
  });

  describe.each(fleets)('%s', (_name, release, names) => {
    beforeAll(async () => {
      await fleet.bring(release, names);
      world ??= await makeWorld(fleet);
      story ??= await createStory(world);
    }, 90_000);

    it('put, get, list, close, delete', () => story.ofAJob());
    it('categories: make, rename, shown on the job', () => story.ofACategory());
    it('metrics: counted once, shown on the job', () => story.ofMetrics());
    it('an Idempotency-Key: the answer is kept, also that of the other release', () => story.ofAKey());
    it('refusals say where and why', () => story.ofRefusals());
    it('what nobody knows yet is ignored with a warning', () => story.ofTomorrow());
    it('totals of lists', () => story.ofTotals());
    it('jobs that were made before are there, and can be changed', () => story.ofWhatWasMade());
  });

  it('each fleet has left a job', () => expect(story.made).toHaveLength(fleets.length));
});
