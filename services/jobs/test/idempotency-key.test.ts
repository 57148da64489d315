import { deleteJobByReference, type Job, renameCategoryOnJobs, ServiceError } from '@joblisting/contracts';
import { KEPT_MS } from '@joblisting/service-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { encode, idOf, jobOf, type KeyedJobs, newKey, runKeyedJobs } from './keyed-requests.ts';
import { caller, newJob, refusalOf, START } from './running-jobs.ts';

let jobs: KeyedJobs;
beforeAll(async () => {
  jobs = await runKeyedJobs();
});
afterAll(() => jobs.stop());
afterEach(() => {
  jobs.clock.set(START);
  jobs.peers.linkFault = () => Promise.resolve();
  jobs.peers.beforeAcquire = () => Promise.resolve();
});

const removeByReference = (referenceId: string) =>
  jobs.bus.request(deleteJobByReference, {
    body: { referenceId, company: { id: 1 } },
    context: caller(),
  });

describe('an Idempotency-Key that was used', () => {
  it('gives the first answer, warnings included, whatever became of the job', async () => {
    const key = newKey();
    const body = newJob({ description: 'a < b', odd: 1, categories: [{ name: 'Clay' }] });
    const first = await jobs.send(key, body);
    expect(first.replayed).toBeUndefined();
    expect(first.warnings?.map(({ code }) => code)).toEqual([
      'unknown_field',
      'html_encoded',
      'category_created',
    ]);
    await jobs.expectReplay(first, key, body);
    await jobs.update(idOf(first), { title: 'Changed', categories: [] });
    await jobs.expectReplay(first, key, body);
    expect((await jobs.get(idOf(first))).data.title).toBe('Changed');
  });

  it('gives the names of its categories as they were', async () => {
    const key = newKey();
    const body = newJob({ categories: [{ id: 6 }] });
    await jobs.bus.request(renameCategoryOnJobs, {
      body: { categoryId: 6, name: 'Renamed', version: 2 },
      context: caller(),
    });
    const first = await jobs.send(key, body);
    await jobs.expectReplay(first, key, body);
    expect((await jobs.get(idOf(first))).data.categories).toEqual([{ id: 6, name: 'Renamed' }]);
  });

  it.each([
    ['its id', (job: Job) => jobs.remove(job.id)],
    ['its referenceId', (job: Job) => removeByReference(job.referenceId ?? '')],
  ])('gives it after the job was deleted by %s', async (by, remove) => {
    const key = newKey();
    const body = newJob({ referenceId: by });
    const first = await jobs.send(key, body);
    await remove(jobOf(first));
    await jobs.expectReplay(first, key, body);
    expect((await refusalOf(jobs.get(idOf(first)))).code).toBe('job_not_found');
    expect(await jobs.stored.findOne({ referenceId: by })).toBeNull();
  });

  it('gives it while a deleted job is still to be cleaned up', async () => {
    const key = newKey();
    const first = await jobs.send(key, newJob());
    jobs.peers.linkFault = () => Promise.reject(new Error('away'));
    await jobs.remove(idOf(first));
    expect(await jobs.buried.findOne({ _id: idOf(first) })).toMatchObject({ cleaning: true });
    await jobs.expectReplay(first, key, newJob());
  });

  it('refuses another body, also after the job was deleted', async () => {
    const key = newKey();
    const { id } = await jobs.send(key, newJob());
    const other = newJob({ title: 'Other' });
    expect((await refusalOf(jobs.send(key, other))).code).toBe('idempotency_key_reused');
    await jobs.remove(id ?? 0);
    expect((await refusalOf(jobs.send(key, other))).code).toBe('idempotency_key_reused');
    expect(await jobs.idsOf('Other')).toEqual([]);
  });

  it('is another key for another consumer or user', async () => {
    const key = newKey();
    const principal = { consumerId: 1, userId: 1, scopes: [], companyIds: [1] };
    const by = (consumerId: number, userId: number) =>
      jobs.send(key, newJob(), { ...caller(), principal: { ...principal, consumerId, userId } });
    const ids = [await by(1, 1), await by(1, 2), await by(2, 1)].map(idOf);
    expect(new Set(ids).size).toBe(3);
    expect([await by(1, 1), await by(1, 2), await by(2, 1)].map(idOf)).toEqual(ids);
  });

  it('is not used by a job created without one, or by PUT', async () => {
    const { data } = await jobs.put(newJob({ referenceId: 'I-3' }), { ...caller(), idempotencyKey: 'put' });
    expect(await jobs.stored.findOne({ _id: data.id })).not.toHaveProperty('idempotency');
    expect(idOf(await jobs.send('put', newJob()))).not.toBe(data.id);
  });
});

describe('an Idempotency-Key is not used up by', () => {
  it('an invalid body', async () => {
    const key = newKey();
    expect((await refusalOf(jobs.send(key, newJob({ title: '' })))).code).toBe('validation_failed');
    expect((await jobs.send(key, newJob())).replayed).toBeUndefined();
  });

  it('a referenceId that is taken', async () => {
    const key = newKey();
    const body = newJob({ referenceId: 'I-4' });
    const { id } = (await jobs.create(body)).data;
    expect(await refusalOf(jobs.send(key, body))).toMatchObject({
      code: 'reference_id_taken',
      conflict: { resource: 'job', id },
    });
    await jobs.remove(id);
    expect((await jobs.send(key, body)).replayed).toBeUndefined();
  });

  it('an unavailable service', async () => {
    const key = newKey();
    const body = newJob({ categories: [{ id: 1 }] });
    jobs.peers.beforeAcquire = () => Promise.reject(new ServiceError('unavailable'));
    expect((await refusalOf(jobs.send(key, body))).code).toBe('unavailable');
    jobs.peers.beforeAcquire = () => Promise.resolve();
    expect((await jobs.send(key, body)).replayed).toBeUndefined();
    expect(await jobs.strays()).toEqual([]);
  });
});

describe('an Idempotency-Key is free after 24 hours', () => {
  it('whether its job exists or is deleted', async () => {
    const key = newKey();
    const first = await jobs.send(key, newJob());
    jobs.clock.advance(KEPT_MS - 1);
    await jobs.expectReplay(first, key, newJob());
    jobs.clock.advance(1);
    const second = await jobs.send(key, newJob({ title: 'Another' }));
    expect(second.replayed).toBeUndefined();
    await jobs.remove(idOf(second));
    jobs.clock.advance(KEPT_MS);
    const third = await jobs.send(key, newJob());
    expect(third.replayed).toBeUndefined();
    await jobs.remove(idOf(third));
    await jobs.expectReplay(third, key, newJob());
    expect((await jobs.get(idOf(first))).data.title).toBe('Welder');
  });

  it('and forgotten if nobody sends it again', async () => {
    const [first, second] = [await jobs.send(newKey(), newJob()), await jobs.send(newKey(), newJob())];
    await jobs.remove(idOf(second));
    jobs.clock.advance(KEPT_MS - 1);
    const later = await jobs.send(newKey(), newJob());
    jobs.clock.advance(1);
    await jobs.addReplica();
    const holders = async () => {
      const withAnswer = { _id: { $in: [idOf(first), idOf(second)] }, idempotency: { $exists: true } };
      return [await jobs.stored.countDocuments(withAnswer), await jobs.buried.countDocuments(withAnswer)];
    };
    await waitFor(async () => String(await holders()) === '0,0', {
      what: 'the answers to be forgotten',
    });
    expect(await jobs.stored.findOne({ _id: idOf(later) })).toHaveProperty('idempotency');
  });
});

describe('a job with a large description', () => {
  const bytesOf = async (collection: typeof jobs.stored, id: number) => {
    const $project = { bytes: { $bsonSize: '$$ROOT' } };
    const found = collection.aggregate<{ bytes: number }>([{ $match: { _id: id } }, { $project }]);
    return (await found.toArray())[0]?.bytes;
  };

  it('keeps its answer small, also once it is deleted; without a key nothing of it is left', async () => {
    const words = ['weld', 'grind', 'cut', 'read drawings', 'lift', 'paint', 'drive', 'measure'];
    const sentences = Array.from(
      { length: 100_000 },
      (_, n) => `${words[(n * n) % 8]} ${n}, ${words[n % 7]}.`,
    );
    const body = newJob({ description: sentences.join(' ') });
    const size = encode(body).length;
    const key = newKey();
    const first = await jobs.send(key, body);
    expect(await bytesOf(jobs.stored, idOf(first))).toBeLessThan(1.4 * size);
    await jobs.update(idOf(first), { description: 'Changed.' });
    await jobs.remove(idOf(first));
    expect(await bytesOf(jobs.buried, idOf(first))).toBeLessThan(0.4 * size);
    await jobs.expectReplay(first, key, body);

    const { id } = (await jobs.create(body)).data;
    await jobs.remove(id);
    expect(await bytesOf(jobs.buried, id)).toBeLessThan(1000);
  });
});

describe('a job with the largest description', () => {
  const MiB = 1024 ** 2;
  const LARGEST_DOCUMENT = 16 * MiB;
  const room = 1000;

  it.each([
    ['brackets, each encoded', '<'.repeat(MiB - room)],
    ['quotes, each escaped', '"'.repeat(2 * MiB - room)],
    // 4 MiB as sent and as stored, with the largest possible JSON.
    ['brackets and quotes', '<'.repeat((4 / 7) * MiB - room) + '"'.repeat((12 / 7) * MiB)],
  ])('fits in a document with its answer, and in a tombstone: %s', async (_what, description) => {
    const key = newKey();
    const body = newJob({ description });
    expect(encode(body).length).toBeLessThanOrEqual(4 * MiB);
    const first = await jobs.send(key, body);
    const [size] = await jobs.stored
      .aggregate<{ bytes: number }>([
        { $match: { _id: first.id } },
        { $project: { bytes: { $bsonSize: '$$ROOT' } } },
      ])
      .toArray();
    expect(size?.bytes).toBeGreaterThan(2 * MiB);
    expect(size?.bytes).toBeLessThan(0.75 * LARGEST_DOCUMENT);
    await jobs.expectReplay(first, key, body);
    await jobs.update(idOf(first), { title: 'Changed' });
    await jobs.remove(idOf(first));
    await jobs.expectReplay(first, key, body);
  });
});
