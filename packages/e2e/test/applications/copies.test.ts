import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { type MailServer, startMailServer } from '@joblisting/testing/mail';
import { simpleParser } from 'mailparser';
import {
  type Client,
  createClient,
  jobBody,
  makeWorld,
  multipart,
  pdf,
  startSystem,
  type System,
  type World,
} from '../../src/index.ts';

const RECIPIENTS = ['hr@acme.example', 'boss@acme.example'];

let mail: MailServer;
let system: System;
let world: World;
let site: Client;
let company: Client;
let jobId: number;

beforeAll(async () => {
  mail = await startMailServer();
  const env = { MAIL: 'on', SMTP_URL: mail.url, MAIL_FROM: 'Jobs <jobs@jobs.example>' };
  system = await startSystem({ env, leaveOut: ['scheduler', 'metrics', 'shortlink'] });
  world = await makeWorld(system);
  const { operator, origin, userKey } = world;
  site = createClient(origin, { consumer: (await operator.consumerKey(['applications:write'])).secret });
  const { secret } = await operator.consumerKey(['applications:read', 'applications:write']);
  company = createClient(origin, { consumer: secret, user: userKey });
  const body = jobBody(world.companyId, { title: 'Beekeeper', applicationEmails: RECIPIENTS });
  jobId = (await world.api.post('/jobs', body)).json.data.id;
}, 90_000);
afterAll(async () => {
  await world?.operator.close();
  await system?.stop();
  await mail?.stop();
});
beforeEach(() => {
  mail.mood = 'takes';
  mail.mails.length = 0;
});

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const apply = async (application: object, content = pdf()) => {
  const body = await multipart(application, [{ name: 'Ünïcode CV.pdf', content }]);
  return (await site.send(`/jobs/${jobId}/applications`, body)).json.data.id as number;
};
const copiesOnceAll = (id: number, state: string) =>
  waitFor(
    async () => {
      const { copies } = (await company.get(`/applications/${id}`)).json.data;
      return copies.every((copy: { state: string }) => copy.state === state) ? copies : undefined;
    },
    { what: `all copies ${state}` },
  );

describe('a copy of an application', () => {
  it('comes to each recipient with the file byte for byte; then the application says `sent`', async () => {
    const content = pdf('by mail');
    const id = await apply({ applicant: ada, coverLetter: 'Hello,\n<b>you</b>' }, content);
    const copies = await copiesOnceAll(id, 'sent');
    expect(copies).toMatchObject(
      RECIPIENTS.map((email) => ({
        email,
        attempts: 1,
        nextAttemptAt: null,
        response: expect.stringMatching(/^250/),
      })),
    );
    expect(mail.mails.map(({ to }) => to).toSorted()).toEqual(RECIPIENTS.toSorted());
    for (const { to, raw } of mail.mails) {
      const parsed = await simpleParser(raw);
      expect(parsed.subject).toBe('Application: Beekeeper');
      expect(parsed.to).toMatchObject({ text: to });
      expect(parsed.replyTo?.value).toEqual([{ name: ada.name, address: ada.email }]);
      expect(parsed.text).toContain(`${world.origin}/v1.0/applications/${id}`);
      expect(parsed.html).toContain('&lt;b&gt;you&lt;/b&gt;');
      expect(parsed.attachments).toMatchObject([
        { filename: 'Ünïcode CV.pdf', contentType: 'application/pdf' },
      ]);
      expect(Uint8Array.from(parsed.attachments[0]?.content ?? [])).toEqual(content);
    }
  });

  it('that failed is found in the list, and sent on demand', async () => {
    mail.mood = { rcpt: 550 };
    const id = await apply({ applicant: { ...ada, email: 'failed@example.com' } });
    const failed = await copiesOnceAll(id, 'failed');
    expect(failed[0].response).toContain('550');
    const list = await company.get(`/applications?company.id=${world.companyId}&status=failed`);
    expect(list.json.data.map((each: { id: number }) => each.id)).toEqual([id]);
    mail.mood = 'takes';
    const again = await company.post(`/applications/${id}/copies`);
    expect([again.status, again.json.data.length]).toEqual([200, RECIPIENTS.length]);
    await copiesOnceAll(id, 'sent');
    expect(mail.mails).toHaveLength(RECIPIENTS.length);
  });
});
