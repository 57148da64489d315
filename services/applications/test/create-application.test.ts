import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getApplicationFile } from '@joblisting/contracts';
import { applicationModel } from '../src/models/application.ts';
import { fileModel } from '../src/models/files.ts';
import {
  ada,
  applyOf,
  companyOf,
  openJob,
  pdf,
  type RunningApplications,
  runApplications,
  searchSite,
} from './running-applications.ts';

let running: RunningApplications;
let apply: ReturnType<typeof applyOf>;
beforeAll(async () => {
  running = await runApplications();
  apply = applyOf(running);
  running.jobs.set(1, openJob(1));
});
afterAll(() => running.stop());

describe('createApplication', () => {
  it('stores record, files and one copy for each recipient', async () => {
    const content = pdf();
    const reply = await apply.multipart(1, { applicant: ada, coverLetter: 'Hello\nyou' }, [
      { name: 'C:\\docs\\cv.pdf', content },
    ]);
    expect(reply.outcome).toBe('created');
    const stored = await apply.read(reply.data.id);
    const { copies: _copies, ...receipt } = stored;
    expect(reply.data).toEqual(receipt);
    expect(stored).toMatchObject({
      job: { id: 1, referenceId: 'ref-1', title: 'Beekeeper' },
      company: { id: 1 },
      applicant: { ...ada, phone: null, location: null },
      coverLetter: 'Hello\nyou',
      previousApplicationId: null,
      files: [{ id: 1, name: 'cv.pdf', type: 'application/pdf', size: content.length, scan: 'none' }],
      copies: [
        { email: 'hr@acme.example', state: 'queued', attempts: 0 },
        { email: 'boss@acme.example', state: 'queued', attempts: 0 },
      ],
    });
    const context = companyOf(1);
    const file = await running.bus.forward(
      getApplicationFile,
      { id: stored.id, fileId: 1 },
      undefined,
      context,
    );
    expect(Buffer.from(file.data)).toEqual(content);
    expect(file.file).toEqual({ name: 'cv.pdf', type: 'application/pdf' });
  });

  it('takes JSON without files', async () => {
    const { outcome, data } = await apply.json(1, { applicant: { ...ada, email: 'json@example.com' } });
    expect(outcome).toBe('created');
    expect(data).toMatchObject({ files: [], answers: [], coverLetter: null, source: null });
  });

  it('answers 200 with the first application for its referenceId', async () => {
    const applicant = { ...ada, email: 'again@example.com' };
    const first = await apply.json(1, { applicant, referenceId: 'a-1' });
    const again = await apply.json(1, { applicant, referenceId: 'a-1', coverLetter: 'changed' });
    expect([first.outcome, again.outcome]).toEqual(['created', 'ok']);
    expect(again.data).toEqual(first.data);
  });

  it('takes one of twenty at once with one referenceId', async () => {
    const applicant = { ...ada, email: 'race@example.com' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        apply.json(1, { applicant, referenceId: 'race', coverLetter: `Text ${index}` }),
      ),
    );
    expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1);
    expect(replies.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
  });

  it('takes one of twenty at once that a double click has sent', async () => {
    const applicant = { ...ada, email: 'click@example.com' };
    const files = [{ name: 'cv.pdf', content: pdf('click') }];
    const filesBefore = await fileModel(running.mongo).countDocuments();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => apply.multipart(1, { applicant }, files)),
    );
    expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1);
    const stored = await applicationModel(running.mongo).countDocuments({ emailKey: 'click@example.com' });
    expect(stored).toBe(1);
    expect(await fileModel(running.mongo).countDocuments()).toBe(filesBefore + 1);
  });

  it('takes the same content under two referenceIds as two applications, each found again by its own', async () => {
    const applicant = { ...ada, email: 'refs@example.com' };
    const first = await apply.json(1, { applicant, referenceId: 'r-1' });
    const second = await apply.json(1, { applicant, referenceId: 'r-2' });
    const again = await apply.json(1, { applicant, referenceId: 'r-2' });
    expect(second.data.id).not.toBe(first.data.id);
    expect(again).toMatchObject({ outcome: 'ok', data: { id: second.data.id } });
  });

  it('gives a file whose name says another type the extension of its own', async () => {
    const files = [
      { name: 'cv.hta', content: Buffer.from('<script>alert(1)</script>') },
      { name: 'cv.PDF', content: pdf('upper') },
      { name: 'BMW.txt', content: Buffer.from('BMW engineer, MZ') },
    ];
    const { data } = await apply.multipart(1, { applicant: { ...ada, email: 'names@example.com' } }, files);
    expect(data.files.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`)).toEqual([
      'cv.hta.txt text/plain',
      'cv.PDF application/pdf',
      'BMW.txt text/plain',
    ]);
  });

  it('takes other content of the same person, and names the previous application', async () => {
    const applicant = { ...ada, email: 'Twice@example.com' };
    const first = await apply.json(1, { applicant });
    const second = await apply.json(1, { applicant, coverLetter: 'One more thing' });
    expect(second).toMatchObject({ outcome: 'created', data: { previousApplicationId: first.data.id } });
  });

  it('takes the same content again after a minute', async () => {
    const applicant = { ...ada, email: 'later@example.com' };
    const first = await apply.json(1, { applicant });
    running.clock.advance(60_000);
    const second = await apply.json(1, { applicant: { ...applicant, email: 'LATER@example.com' } });
    expect(second).toMatchObject({ outcome: 'created', data: { previousApplicationId: first.data.id } });
  });

  it('replays the answer to an Idempotency-Key, whatever boundary the parts have', async () => {
    const files = [{ name: 'cv.pdf', content: pdf('key') }];
    const body = { applicant: { ...ada, email: 'key@example.com' } };
    const first = await apply.multipart(1, body, files, searchSite('key-1'));
    const second = await apply.multipart(1, body, files, searchSite('key-1'));
    expect(second).toMatchObject({ outcome: 'created', replayed: true, data: first.data });
  });
});
