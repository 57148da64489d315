import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getApplicationFile } from '@joblisting/contracts';
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
    expect(stored).toEqual(reply.data);
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

  it('replays the answer to an Idempotency-Key, whatever boundary the parts have', async () => {
    const files = [{ name: 'cv.pdf', content: pdf('key') }];
    const body = { applicant: { ...ada, email: 'key@example.com' } };
    const first = await apply.multipart(1, body, files, searchSite('key-1'));
    const second = await apply.multipart(1, body, files, searchSite('key-1'));
    expect(second).toMatchObject({ outcome: 'created', replayed: true, data: first.data });
  });
});
