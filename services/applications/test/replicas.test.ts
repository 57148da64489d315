import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { type MailServer, startMailServer } from '@joblisting/testing/mail';
import { applicationModel } from '../src/models/application.ts';
import { storedFileModel } from '../src/models/stored-file.ts';
import { fileStore } from '../src/store/file-store.ts';
import {
  ada,
  applyOf,
  openJob,
  pdf,
  type RunningApplications,
  runApplications,
} from './running-applications.ts';

const APPLICATIONS = 60;

let mail: MailServer;
let running: RunningApplications;
let apply: ReturnType<typeof applyOf>;
beforeAll(async () => {
  mail = await startMailServer();
  running = await runApplications({ MAIL: 'on', SMTP_URL: mail.url, MAIL_PER_SECOND: '1000' });
  await running.addReplica();
  apply = applyOf(running);
  running.jobs.set(1, openJob(1)).set(2, openJob(2, { applicationEmails: [] }));
});
afterAll(async () => {
  await running.stop();
  await mail.stop();
});

describe('several replicas', () => {
  it('send each copy once', async () => {
    for (let index = 0; index < APPLICATIONS; index++) {
      await apply.json(1, { applicant: { ...ada, email: `r${index}@example.com` } });
    }
    await waitFor(() => mail.mails.length >= 2 * APPLICATIONS, { what: 'all mails' });
    await waitFor(
      async () => (await applicationModel(running.mongo).countDocuments({ 'copies.state': 'queued' })) === 0,
      { what: 'all notes' },
    );
    const ids = new Set(mail.mails.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw.toString())?.[1]));
    expect([ids.size, mail.mails.length]).toEqual([2 * APPLICATIONS, 2 * APPLICATIONS]);
  });
});

describe('the sweep of files', () => {
  it('removes those whose application was never stored, and no others', async () => {
    const files = fileStore(running.mongo);
    const { data } = await apply.multipart(2, { applicant: ada }, [{ name: 'cv.pdf', content: pdf() }]);
    const stored = await applicationModel(running.mongo).findOne({ _id: data.id }).lean();
    const kept = stored?.files[0]?.storedAs ?? '';
    const [orphan = ''] = await files.write([pdf('orphan')], Date.now() + 5000);

    expect(await files.sweep(new Date(Date.now() - 3600_000))).toBe(0);
    expect(await files.sweep(new Date(Date.now() + 1000))).toBe(2);
    expect(await files.read(orphan)).toBeUndefined();
    expect(Buffer.from((await files.read(kept)) ?? [])).toEqual(pdf());
    expect(await files.sweep(new Date(Date.now() + 1000))).toBe(0);
    expect(await storedFileModel(running.mongo).countDocuments({ _id: orphan })).toBe(0);
  });
});
