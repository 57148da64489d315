import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Exports, type Snapshot, snapshotOf } from '@joblisting/contracts/compatibility';
import type { Scope } from '@joblisting/contracts';
import { lastRelease, lastReleased } from '@joblisting/contracts/released';
import { makeWorld, type World } from '../../src/index.ts';
import { type ServiceName, serviceNames } from '@joblisting/testing/system';
import { type Fleet, type Release, startFleet } from './fleet.ts';
import { repository, sourcesOf } from './sources.ts';
import { createScenarios, type Scenarios } from './scenarios.ts';

const { version, commit } = lastRelease();
const sources = sourcesOf(commit);
const skipReason = 'missing' in sources ? sources.missing : '';
if (skipReason)
  process.stderr.write(`\nSkipped: services of ${version} beside current ones: ${skipReason}.\n`);

const allBut = (...names: readonly ServiceName[]) => serviceNames.filter((name) => !names.includes(name));

/** The last release knows them, too. */
const KNOWN_SCOPES: Scope[] = ['jobs:read', 'jobs:write', 'categories:write'];

/** They run one after the other on the same data, so each release reads what the other wrote. */
const fleets: readonly [string, Release, readonly ServiceName[]][] = [
  [`all services of ${version}`, 'released', serviceNames],
  [`current jobs, the rest of ${version}`, 'current', ['jobs']],
  [`the gateway of ${version}, the rest current`, 'released', ['gateway']],
  ['all services current', 'current', serviceNames],
  [`jobs of ${version}, the rest current`, 'released', ['jobs']],
  [`the current gateway, the rest of ${version}`, 'released', allBut('gateway')],
  ['all services current again', 'current', serviceNames],
];

(skipReason ? it.skip : it)(
  `the released file of ${version} matches the contracts of its commit`,
  async () => {
    const root = 'root' in sources ? sources.root : '';
    const exports = (await import(`${root}/packages/contracts/src/index.ts`)) as Exports;
    const released = lastReleased('contracts') as Snapshot;
    const { operations, events, streams, errorCodes } = snapshotOf(version, { ...released, ...exports }, []);
    expect({ operations, events, streams, errorCodes }).toEqual({
      operations: released.operations,
      events: released.events,
      streams: released.streams,
      errorCodes: released.errorCodes,
    });
  },
);

(skipReason ? describe.skip : describe)('two releases beside each other', () => {
  let fleet: Fleet;
  let world: World;
  let scenarios: Scenarios;

  beforeAll(async () => {
    const root = 'root' in sources ? sources.root : '';
    fleet = await startFleet({ released: root, current: repository });
  });
  afterAll(async () => {
    await world?.operator.close();
    await fleet?.stop();
  });

  describe.each(fleets)('%s', (_name, release, names) => {
    beforeAll(async () => {
      await fleet.deploy(release, names);
      world ??= await makeWorld(fleet, KNOWN_SCOPES);
      scenarios ??= await createScenarios(world);
    }, 90_000);

    it('jobs: put, get, list, close, delete', () => scenarios.changeJob());
    it('categories: create, rename, name on the job', () => scenarios.renameCategory());
    it('metrics: counted once, counts on the job', () => scenarios.countMetrics());
    it('Idempotency-Key: repeats answers of both releases', () => scenarios.repeatRequests());
    it('errors: codes and pointers', () => scenarios.checkErrors());
    it('unknown fields: ignored with a warning', () => scenarios.sendUnknownFields());
    it('lists: totals', () => scenarios.checkTotals());
    it('earlier jobs: readable and changeable', () => scenarios.changeEarlierJobs());
  });

  it('every fleet created a job', () => expect(scenarios.createdJobs).toHaveLength(fleets.length));
});
