import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCategory, deleteCategory, ServiceError } from '@joblisting/contracts';
import {
  as,
  client,
  collections,
  COMPANY,
  newName,
  OTHER_COMPANY,
  runCategories,
  type Running,
} from './running-categories.ts';

let running: Running;
beforeAll(async () => {
  running = await runCategories();
  await running.addReplica();
});
afterAll(() => running.stop());

let lastKey = 0;
const newKey = () => `key-${++lastKey}`;
const keyed = (idempotencyKey: string) => ({ ...as(), idempotencyKey });
const create = (name: string, context = keyed(newKey()), more: object = {}) =>
  running.bus.request(createCategory, { body: { name, company: { id: COMPANY }, ...more }, context });
const named = (name: string) => collections(running.mongo).categories.countDocuments({ name });
const kept = () => running.mongo.collection('idempotency').countDocuments();

type Outcome = PromiseSettledResult<Awaited<ReturnType<typeof create>>>;
const replies = (all: readonly Outcome[]) =>
  all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
const codes = (all: readonly Outcome[]) =>
  all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as ServiceError).code] : []));

describe('createCategory with an Idempotency-Key › a key that was used', () => {
  it('gets the first answer again, warnings included, whichever replica is asked', async () => {
    const name = newName();
    const context = keyed(newKey());
    const first = await create(name, context, { odd: 1 });
    expect(first.replayed).toBeUndefined();
    for (let time = 0; time < 10; time++) {
      expect(await create(name, context, { odd: 1 })).toEqual({ ...first, replayed: true });
    }
    expect(first.warnings).toHaveLength(1);
    expect(await named(name)).toBe(1);
  });

  it('gets the first answer again after the category was deleted', async () => {
    const name = newName();
    const context = keyed(newKey());
    const first = await create(name, context);
    await running.bus.request(deleteCategory, { params: { id: first.data.id }, context: as() });
    expect(await create(name, context)).toEqual({ ...first, replayed: true });
    expect(await named(name)).toBe(0);
  });

  it('is refused for another body', async () => {
    const context = keyed(newKey());
    const { name } = (await create(newName(), context)).data;
    const other = newName();
    await expect(create(other, context)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await expect(create(name, context, { odd: 1 })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await named(other)).toBe(0);
  });

  it('is free for other keys of the API', async () => {
    const context = keyed(newKey());
    await create(newName(), context);
    for (const principal of [
      { ...context.principal!, consumerId: 2 },
      { ...context.principal!, userId: 2 },
    ]) {
      expect((await create(newName(), { ...context, principal })).replayed).toBeUndefined();
    }
  });

  it('is free again after 24 hours', async () => {
    const context = keyed(newKey());
    const name = newName();
    await create(name, context);
    running.clock.advance(24 * 3600_000 - 1);
    expect((await create(name, context)).replayed).toBe(true);
    running.clock.advance(1);
    await expect(create(name, context)).rejects.toMatchObject({ code: 'category_name_taken' });
    expect((await create(newName(), context)).replayed).toBeUndefined();
  });
});

describe('createCategory with an Idempotency-Key › a refusal', () => {
  it('does not use the key up', async () => {
    const context = keyed(newKey());
    const { id, name } = await client(running).create();
    await expect(create(name, context)).rejects.toMatchObject({ code: 'category_name_taken' });
    const foreign = { company: { id: OTHER_COMPANY } };
    await expect(create(name, context, foreign)).rejects.toMatchObject({ code: 'company_forbidden' });
    await expect(create('', context)).rejects.toMatchObject({ code: 'validation_failed' });
    await running.bus.request(deleteCategory, { params: { id }, context: as() });
    expect(await create(name, context)).toMatchObject({ outcome: 'created', data: { name } });
  });
});

describe('createCategory with an Idempotency-Key › a request without a key', () => {
  it('keeps no answer', async () => {
    const before = await kept();
    await client(running).create();
    expect(await kept()).toBe(before);
  });
});

describe('createCategory with an Idempotency-Key › many at once, in two replicas', () => {
  it('create one category from one request, and get its answer or idempotency_key_in_flight', async () => {
    for (let race = 0; race < 20; race++) {
      const name = newName();
      const context = keyed(newKey());
      const all = await Promise.allSettled(Array.from({ length: 10 }, () => create(name, context)));
      const answers = replies(all);
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
      expect(codes(all).filter((code) => code !== 'idempotency_key_in_flight')).toEqual([]);
      expect(await named(name)).toBe(1);
    }
  });

  it('create one category for one key, and refuse the other request', async () => {
    const refused = new Set<string>();
    for (let race = 0; race < 30; race++) {
      const context = keyed(newKey());
      const names = [newName(), newName()];
      const all = await Promise.allSettled(names.map((name) => create(name, context)));
      expect(replies(all)).toMatchObject([{ outcome: 'created' }]);
      const made = await Promise.all(names.map(named));
      expect(made).toEqual(expect.arrayContaining([0, 1]));
      for (const code of codes(all)) refused.add(code);
      // A caller that got `idempotency_key_in_flight` gets a final answer when it retries.
      const again: string[] = [];
      for (const name of names) {
        const one = await Promise.allSettled([create(name, context)]);
        again.push(codes(one)[0] ?? `replayed: ${replies(one)[0]?.replayed}`);
      }
      expect(again.toSorted()).toEqual(['idempotency_key_reused', 'replayed: true']);
    }
    expect([...refused].toSorted()).toEqual(['idempotency_key_in_flight', 'idempotency_key_reused']);
  });
});
