import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { type MailServer, startMailServer } from '@joblisting/testing/mail';
import { applicationModel } from '../src/models/application.ts';
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
  running.jobs.set(1, openJob(1));
});
afterAll(async () => {
  await running.stop();
  await mail.stop();
});

describe('several replicas', () => {
  it('send each copy once', async () => {
    for (let index = 0; index < APPLICATIONS; index++) {
      const files = [pdf('one'), pdf('two')].map((content, no) => ({ name: `${no}.pdf`, content }));
      await apply.multipart(1, { applicant: { ...ada, email: `r${index}@example.com` } }, files);
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
