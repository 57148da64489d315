import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { type MailServer, startMailServer } from '@joblisting/testing/mail';
import { applicationModel, DUE_COPIES } from '../src/models/application.ts';
import { applyOf, openJob, type RunningApplications, runApplications } from './running-applications.ts';

const COPIES_OF_FIRST = 20;

let server: MailServer;
let running: RunningApplications;
beforeAll(async () => {
  server = await startMailServer();
  running = await runApplications();
});
afterAll(async () => {
  await running.stop();
  await server.stop();
});

describe('the copies of several companies', () => {
  it('are sent in turn, whoever has more and older ones', async () => {
    const apply = applyOf(running);
    for (const id of [1, 2, 3]) {
      const applicationEmails = [`hr@company-${id}.example`];
      running.jobs.set(id, openJob(id, { company: { id, name: `Company ${id}` }, applicationEmails }));
    }
    const handIn = (jobId: number, number: number) =>
      apply.json(jobId, { applicant: { name: 'Ada', email: `ada-${number}@example.com` } });
    for (let number = 0; number < COPIES_OF_FIRST; number++) await handIn(2, number);
    running.clock.advance(60_000);
    for (const jobId of [1, 3]) await handIn(jobId, 1);

    await running.addReplica({ MAIL: 'on', SMTP_URL: server.url, MAIL_CONNECTIONS: '1' });
    await waitFor(() => server.mails.length === COPIES_OF_FIRST + 2, { what: 'all mails' });
    const recipients = server.mails.map(({ raw }) => /^To: (.*?)\r?$/m.exec(raw.toString())?.[1]);
    expect(new Set(recipients.slice(0, 3))).toEqual(
      new Set(['hr@company-1.example', 'hr@company-2.example', 'hr@company-3.example']),
    );
    expect(recipients.slice(3)).toEqual(Array(COPIES_OF_FIRST - 1).fill('hr@company-2.example'));
  });

  it('are found without reading those of other companies, and without a sort', async () => {
    const model = applicationModel(running.mongo);
    const template = await model.findOne({ companyId: 2 }).lean();
    const later = new Date(running.clock.now() + 3_600_000);
    const copies = [Object.assign({}, template?.copies[0], { nextAttemptAt: later })];
    const waiting = Array.from({ length: 1000 }, (_, index) => ({
      ...template,
      _id: 1_000_000 + index,
      companyId: index % 2 === 0 ? 2 : 3,
      copies,
    }));
    await model.collection.insertMany(waiting as never[]);
    const plan = await model
      .find({ companyId: { $gt: 0 }, 'copies.nextAttemptAt': { $lte: new Date(running.clock.now()) } })
      .sort({ companyId: 1 })
      .limit(1)
      .hint(DUE_COPIES)
      .explain('executionStats');
    const { executionStats } = plan as unknown as {
      executionStats: { totalKeysExamined: number; totalDocsExamined: number };
    };
    expect(JSON.stringify(plan)).not.toContain('"SORT"');
    expect(executionStats.totalDocsExamined).toBe(0);
    expect(executionStats.totalKeysExamined).toBeLessThan(10);
  });
});
