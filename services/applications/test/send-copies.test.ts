import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { queueCopies } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { type MailServer, startMailServer } from '@joblisting/testing/mail';
import { simpleParser } from 'mailparser';
import {
  ada,
  applyOf,
  companyOf,
  openJob,
  pdf,
  type RunningApplications,
  runApplications,
} from './running-applications.ts';

let server: MailServer;
let running: RunningApplications;
let apply: ReturnType<typeof applyOf>;
let lastJob = 0;
beforeAll(async () => {
  server = await startMailServer();
  running = await runApplications({
    MAIL: 'on',
    SMTP_URL: server.url,
    MAIL_FROM: 'Jobs <jobs@jobs.example>',
    MAIL_TIMEOUT_MS: '500',
  });
  apply = applyOf(running);
});
beforeEach(() => {
  server.mood = 'takes';
  server.mails.length = 0;
  running.jobs.set(++lastJob, openJob(lastJob, { applicationEmails: ['hr@acme.example'] }));
});
afterAll(async () => {
  await running.stop();
  await server.stop();
});

const copyOf = async (id: number) => (await apply.read(id)).copies[0];
const settledCopy = (id: number, state: string) =>
  waitFor(
    async () => {
      const copy = await copyOf(id);
      return copy?.state === state ? copy : undefined;
    },
    { what: `the copy to be ${state}` },
  );

describe('a copy', () => {
  it('carries everything that the applicant sent', async () => {
    const content = pdf('mail');
    const { data } = await apply.multipart(
      lastJob,
      {
        applicant: { ...ada, phone: '+1 555 0100' },
        coverLetter: '<script>alert(1)</script>',
        answers: [{ question: 'Bees?', answer: 'Many & more' }],
      },
      [{ name: 'Ada, Ünïcode CV.pdf', content }],
    );
    const copy = await settledCopy(data.id, 'sent');
    expect(copy).toMatchObject({ attempts: 1, nextAttemptAt: null });
    expect(copy?.response).toContain('250');
    const mail = await simpleParser(server.mails[0]?.raw ?? '');
    expect(mail.subject).toBe('Application: Beekeeper');
    expect(mail.to).toMatchObject({ text: 'hr@acme.example' });
    expect(mail.replyTo?.value).toEqual([{ name: ada.name, address: ada.email }]);
    expect(mail.messageId).toBe(`<application-${data.id}-0-0@jobs.example>`);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.text).toContain('<script>alert(1)</script>');
    expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(mail.html).toContain('Many &amp; more');
    expect(mail.attachments).toMatchObject([
      { filename: 'Ada, Ünïcode CV.pdf', contentType: 'application/pdf', content },
    ]);
  });

  it.each([
    ['451 to RCPT', { rcpt: 451 }],
    ['421 to DATA', { data: 421 }],
    ['no reply', 'stalls'],
    ['a lost connection after DATA', 'hangs up'],
  ] as const)('is deferred after %s, and sent later', async (_what, mood) => {
    server.mood = mood;
    const { data } = await apply.json(lastJob, { applicant: ada });
    const deferred = await settledCopy(data.id, 'deferred');
    expect(deferred?.nextAttemptAt).not.toBeNull();
    server.mood = 'takes';
    running.clock.advance(61_000);
    expect(await settledCopy(data.id, 'sent')).toMatchObject({ attempts: 2 });
  });

  it('is deferred after 550 to its sender, which an operator can mend', async () => {
    server.mood = { from: 550 };
    const { data } = await apply.json(lastJob, { applicant: ada });
    const deferred = await settledCopy(data.id, 'deferred');
    expect(deferred?.response).toBe('The mail server does not take mails of this service now.');
  });

  it('fails for good after 550, and is sent again on demand', async () => {
    server.mood = { rcpt: 550 };
    const { data } = await apply.json(lastJob, { applicant: ada });
    const failed = await settledCopy(data.id, 'failed');
    expect(failed).toMatchObject({ attempts: 1, nextAttemptAt: null });
    expect(failed?.response).toContain('550');
    server.mood = 'takes';
    await running.bus.request(queueCopies, { params: { id: data.id }, body: {}, context: companyOf(1) });
    await settledCopy(data.id, 'sent');
    const mails = await Promise.all(server.mails.map(({ raw }) => simpleParser(raw)));
    expect(mails.map(({ messageId }) => messageId)).toEqual([`<application-${data.id}-0-1@jobs.example>`]);
  });

  it('is sent again to all, once for each Idempotency-Key', async () => {
    const { data } = await apply.json(lastJob, { applicant: ada });
    await settledCopy(data.id, 'sent');
    const again = () =>
      running.bus.request(queueCopies, {
        params: { id: data.id },
        body: { to: 'all' },
        context: { ...companyOf(1), idempotencyKey: 'again' },
      });
    const first = await again();
    await settledCopy(data.id, 'sent');
    expect(await again()).toMatchObject({ replayed: true, data: first.data });
    await waitFor(() => server.mails.length === 2, { what: 'the second mail' });
    const mails = await Promise.all(server.mails.map(({ raw }) => simpleParser(raw)));
    expect(mails.map(({ messageId }) => messageId)).toEqual(
      [0, 1].map((round) => `<application-${data.id}-0-${round}@jobs.example>`),
    );
  });

  it('adds no header by any text of a client', async () => {
    running.jobs.set(
      lastJob,
      openJob(lastJob, { applicationEmails: ['hr@acme.example'], title: 'Title\r\nBcc: x@evil.example' }),
    );
    const applicant = { name: '"A" <a@evil.example>, B', email: 'ada@example.com' };
    const { data } = await apply.multipart(lastJob, { applicant, coverLetter: '.\r\n.\r\nMAIL FROM:<x>' }, [
      { name: 'a"; x=y.pdf', content: pdf() },
    ]);
    await settledCopy(data.id, 'sent');
    const mail = await simpleParser(server.mails[0]?.raw ?? '');
    expect(mail.headers.has('bcc')).toBe(false);
    expect(mail.replyTo?.value).toEqual([{ name: applicant.name, address: applicant.email }]);
    expect(mail.text).toContain('MAIL FROM:<x>');
  });
});

describe('the end of the process', () => {
  it('does not wait for a mail server that stalls', async () => {
    const patient = await runApplications({ MAIL: 'on', SMTP_URL: server.url });
    try {
      patient.jobs.set(1, openJob(1, { applicationEmails: ['hr@acme.example'] }));
      server.mood = 'stalls';
      await applyOf(patient).json(1, { applicant: ada });
      await waitFor(() => server.stalled() > 0, { what: 'a mail that stalls' });
      const startedAt = performance.now();
      await patient.stopReplicas();
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      await waitFor(() => server.connections() === 0, { what: 'every connection to be closed' });
    } finally {
      await patient.stop();
    }
  });
});
