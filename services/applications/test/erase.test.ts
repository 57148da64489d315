import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  deleteApplication,
  eraseApplicant,
  queueCopies,
  setRetention,
  transitionDue,
} from '@joblisting/contracts';
import { databaseOf, ownCall } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import {
  applyOf,
  companyOf,
  openJob,
  pdf,
  type RunningApplications,
  runApplications,
  searchSite,
} from './running-applications.ts';

const DAY_MS = 24 * 3600_000;
/** Planted in every field of an applicant, and searched for everywhere. */
const MARKER = 'xqzmarker';

let running: RunningApplications;
let apply: ReturnType<typeof applyOf>;
beforeAll(async () => {
  running = await runApplications();
  apply = applyOf(running);
  running.jobs.set(1, openJob(1));
});
afterAll(() => running.stop());

const marked = (email = `${MARKER}@example.com`) => ({
  applicant: { name: `${MARKER} name`, email, phone: MARKER, location: MARKER },
  coverLetter: MARKER,
  answers: [{ question: MARKER, answer: MARKER }],
  referenceId: `${MARKER} ${email}`,
  source: MARKER,
});
const send = (body: object, key?: string) =>
  apply.multipart(1, body, [{ name: `${MARKER}.pdf`, content: pdf(MARKER) }], searchSite(key));

/** The collections with a document that has the marker, as text or in binary data. */
async function collectionsWithMarker(): Promise<string[]> {
  const database = databaseOf(running.mongo);
  const found: string[] = [];
  for (const { name } of await database.listCollections().toArray()) {
    const documents = await database.collection(name).find({}, { promoteBuffers: true }).toArray();
    const texts = documents.map((document) =>
      JSON.stringify(document, (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      ),
    );
    const raw = documents.flatMap((document) =>
      Object.values(document).flatMap((value: unknown) =>
        ArrayBuffer.isView(value)
          ? [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')]
          : [],
      ),
    );
    if ([...texts, ...raw].some((text) => text.includes(MARKER))) found.push(name);
  }
  return found.toSorted();
}

describe('an erasure', () => {
  it('leaves nothing of the applicant in any collection', async () => {
    const { data } = await send(marked(), 'erased-key');
    expect(await collectionsWithMarker()).toEqual(['applications', 'files.chunks', 'idempotency']);
    await running.bus.request(deleteApplication, { params: { id: data.id }, context: companyOf(1) });
    expect(await collectionsWithMarker()).toEqual([]);
    await expect(apply.read(data.id)).rejects.toMatchObject({ code: 'application_not_found' });
  });

  it('is not undone by a repeated request with the same Idempotency-Key', async () => {
    await expect(send(marked(), 'erased-key')).rejects.toMatchObject({ code: 'application_not_found' });
    expect(await collectionsWithMarker()).toEqual([]);
  });

  it('empties the answers to all Idempotency-Keys of one application', async () => {
    const first = await send(marked(), 'first-key');
    const second = await send(marked(), 'second-key');
    expect(second).toMatchObject({ outcome: 'ok', data: { id: first.data.id } });
    const { id } = first.data;
    const context = { ...companyOf(1), idempotencyKey: 'copies-key' };
    const queueing = { params: { id }, body: { to: 'all' }, context };
    await running.bus.request(queueCopies, queueing);
    await running.bus.request(deleteApplication, { params: { id }, context: companyOf(1) });
    expect(await collectionsWithMarker()).toEqual([]);
    const repeated = [() => send(marked(), 'second-key'), () => running.bus.request(queueCopies, queueing)];
    for (const again of repeated) {
      await expect(again()).rejects.toMatchObject({ code: 'application_not_found' });
    }
  });

  it('is refused to keys of another company', async () => {
    const { data } = await send(marked());
    const foreign = { params: { id: data.id }, context: companyOf(2) };
    await expect(running.bus.request(deleteApplication, foreign)).rejects.toMatchObject({
      code: 'application_not_found',
    });
    expect(await apply.read(data.id)).toMatchObject({ id: data.id });
    await running.bus.request(deleteApplication, { params: { id: data.id }, context: companyOf(1) });
  });

  it('of a person takes all of their applications in the company, and no others', async () => {
    const email = `person-${MARKER}@example.com`;
    await send(marked(email));
    running.jobs.set(2, openJob(2));
    await apply.json(2, { applicant: { name: 'Other case', email: email.toUpperCase() } });
    running.jobs.set(3, openJob(3, { company: { id: 2, name: 'Other' } }));
    const foreign = await apply.json(3, { applicant: { name: 'P', email } });
    const { data } = await running.bus.request(eraseApplicant, {
      params: { 'company.id': 1, email },
      context: companyOf(1),
    });
    expect(data).toEqual({ erased: 2 });
    const { id } = foreign.data;
    expect(await apply.read(id, companyOf(2))).toMatchObject({ id });
    await running.bus.request(deleteApplication, { params: { id }, context: companyOf(2) });
  });
});

describe('retention', () => {
  const isErased = (id: number, companyId: number) =>
    apply.read(id, companyOf(companyId)).then(
      () => false,
      () => true,
    );

  it('erases what is over, by the days of the company', async () => {
    const applicant = { name: 'R', email: 'retention@example.com' };
    running.jobs.set(4, openJob(4)).set(5, openJob(5, { company: { id: 5, name: 'Short' } }));
    await running.bus.request(setRetention, { body: { companyId: 5, days: 30 }, context: ownCall(5000) });
    const usual = await apply.json(4, { applicant });
    const short = await apply.json(5, { applicant });

    running.clock.advance(31 * DAY_MS);
    await running.addReplica();
    await waitFor(() => isErased(short.data.id, 5), { what: 'the erasure after 30 days' });
    expect(await isErased(usual.data.id, 1)).toBe(false);

    running.clock.advance(340 * DAY_MS);
    await running.bus.publishEvent(
      transitionDue,
      { instant: new Date(running.clock.now()).toISOString() },
      'noon',
    );
    await waitFor(() => isErased(usual.data.id, 1), { what: 'the erasure at the noon after 365 days' });
  });
});
