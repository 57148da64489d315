import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@joblisting/bus';
import { categoriesChanged, LISTED_AT_MOST } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { newJob } from '../src/routes/examples.ts';
import { ask, type TestGateway } from './support/gateway.ts';
import { keys } from './support/stand-ins.ts';
import { nameOf, type PublicWorld, read, rename, sent, startPublicWorld } from './support/public-world.ts';

const manyWarnings = Array.from({ length: LISTED_AT_MOST }, () => ({
  code: 'unknown_field' as const,
  detail: '',
}));
let bus: Bus;
let world: PublicWorld;
let first: TestGateway;
beforeAll(async () => {
  world = await startPublicWorld();
  ({ first } = world);
  bus = await connectBus({ url: first.nats.url, name: 'test' });
});
afterAll(async () => {
  await bus.close();
  await world.stop();
});
beforeEach(() => world.reset());

describe('a change of categories', () => {
  it('a rename shows at once on the gateway it went through', async () => {
    await nameOf(first);
    await rename(first, 'Games');
    expect(await nameOf(first)).toBe('Games');
  });

  it('a new category shows at once on the gateway it went through', async () => {
    await read(first, '/jobcategories?company.id=5');
    const created = { name: 'New', company: { id: 1 } };
    await ask(`${first.base}/jobcategories`, { method: 'POST', ...sent(created) });
    const list = await read(first, '/jobcategories?company.id=5');
    expect(list.body.data).toMatchObject([{ name: 'New' }]);
  });

  it('a change of unknown outcome (504) shows at once', async () => {
    await nameOf(first);
    const { status } = await ask(`${first.base}/jobcategories/1`, { method: 'DELETE', headers: keys });
    expect([status, await nameOf(first)]).toEqual([504, 'deleted']);
  });

  it.each([
    ['says that it made one', [{ code: 'category_created', detail: '' }], 'Tester'],
    ['has too much to say', manyWarnings, 'Tester'],
    ['made none', [{ code: 'status_derived', detail: '' }], 'Game Design'],
  ] as const)('by a POST of a job that %s', async (_what, told, expected) => {
    await nameOf(first);
    world.owner.warnings = told;
    const { status } = await ask(`${first.base}/jobs`, {
      method: 'POST',
      ...sent({ ...newJob, title: 'Tester' }),
    });
    expect([status, await nameOf(first)]).toEqual([201, expected]);
  });

  it('shows on other gateways within a second without any message', async () => {
    expect(await nameOf(world.second)).toBe('Game Design');
    await rename(first, 'Games');
    world.pass(999);
    expect(await nameOf(world.second)).toBe('Game Design');
    world.pass(1);
    expect(await nameOf(world.second)).toBe('Games');
  });

  it('shows on other gateways as soon as they are told', async () => {
    await nameOf(world.second);
    await rename(first, 'Games');
    bus.notify(categoriesChanged, {});
    await waitFor(async () => (await nameOf(world.second)) === 'Games', { what: 'the new name' });
  });

  it('is not overwritten by a slow answer from before it', async () => {
    const { came, goOn } = world.holdNext();
    const before = nameOf(first);
    await came;
    await rename(first, 'Games');
    const after = nameOf(first);
    expect(await after).toBe('Games');
    goOn();
    expect(await before).toBe('Game Design');
    expect(await nameOf(first)).toBe('Games');
  });

  it('shows to requests a second after a request that still waits', async () => {
    const { came, goOn } = world.holdNext();
    const before = nameOf(world.second);
    await came;
    world.owner.name = 'Games';
    world.pass(1000);
    expect(await nameOf(world.second)).toBe('Games');
    goOn();
    await before;
    expect(await nameOf(world.second)).toBe('Games');
  });

  it('does not drop what never changes', async () => {
    await read(first, '/jobtypes');
    await rename(first, 'Games');
    await read(first, '/jobtypes');
    expect(world.owner.requests).toEqual(['types']);
  });
});
