import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { type MailServer, type ReceivedMail, startMailServer } from '@joblisting/testing/mail';
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

const RECIPIENT = 'hr@acme.example';
const HEADERS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
];
/** Base64 of a line end and a header. */
const ENCODED = Buffer.from('\r\nBcc: evil@evil.example').toString('base64');

let mail: MailServer;
let system: System;
let world: World;
let site: Client;

beforeAll(async () => {
  mail = await startMailServer();
  const env = { MAIL: 'on', SMTP_URL: mail.url };
  system = await startSystem({ env, leaveOut: ['scheduler', 'metrics', 'shortlink'] });
  world = await makeWorld(system);
  const { secret } = await world.operator.consumerKey(['applications:write']);
  site = createClient(world.origin, { consumer: secret });
}, 90_000);
afterAll(async () => {
  await world?.operator.close();
  await system?.stop();
  await mail?.stop();
});
beforeEach(() => void (mail.mails.length = 0));

const newJob = async (title: string): Promise<number> => {
  const { status, json } = await world.api.post(
    '/jobs',
    jobBody(world.companyId, { title, applicationEmails: [RECIPIENT] }),
  );
  expect(status).toBe(201);
  return json.data.id;
};
const applicant = (name: string) => ({ name, email: `${crypto.randomUUID()}@example.com` });

/** Hands an application in, and resolves to the only mail that comes of it. */
async function mailOf(jobId: number, application: object, fileName = 'cv.pdf'): Promise<ReceivedMail> {
  const body = await multipart(application, [{ name: fileName, content: pdf() }]);
  const { status } = await site.send(`/jobs/${jobId}/applications`, body);
  expect(status).toBe(201);
  const received = await waitFor(() => mail.mails[0], { what: 'the mail' });
  expect(mail.mails).toHaveLength(1);
  return received;
}

/** The names of the headers of a mail, or of a part of it, in alphabetical order. */
const headerNames = (raw: string): string[] =>
  (raw.split('\r\n\r\n', 1)[0] ?? '')
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
    .toSorted();

/** Folding of headers may change white space. */
const wordsOf = (text: string | undefined): string[] | undefined => text?.split(/\s+/);

async function expectOrdinary({ to, raw }: ReceivedMail, replyTo: string): Promise<void> {
  const source = raw.toString('latin1');
  expect(headerNames(source)).toEqual(HEADERS);
  expect(source).toMatch(/^[\n\r\t -~]*$/);
  expect(source.split('\r\n').filter((line) => line.length > 998)).toEqual([]);
  const parsed = await simpleParser(raw);
  expect([to, parsed.to, parsed.cc, parsed.bcc]).toEqual([
    RECIPIENT,
    expect.objectContaining({ text: RECIPIENT }),
    undefined,
    undefined,
  ]);
  expect(parsed.replyTo?.value.map(({ address }) => address)).toEqual([replyTo]);
}

describe('a mail has no other header, recipient or reply address', () => {
  const texts = [
    'Ada <evil@evil.example>, "',
    '"Ada" <evil@evil.example>',
    'evil@evil.example, Ada',
    'Group: evil@evil.example;',
    'Ada\\',
    '(comment) Ada',
    `=?utf-8?B?${ENCODED}?=`,
    '=?utf-8?Q?=0D=0ABcc:_evil@evil.example?=',
    'Ada\u2028Bcc: evil@evil.example',
    'Ada\u2029\u2029<html>',
    'Ada\u202egnp.exe',
    '%0d%0aBcc: evil@evil.example',
    '\\r\\nBcc: evil@evil.example',
    'ada '.repeat(64).trim(),
    '\u00e9'.repeat(256),
    'x'.repeat(256),
    '\u{1F600}'.repeat(100),
  ];

  it.each(texts)('with the name %j', async (name) => {
    const sent = applicant(name);
    await expectOrdinary(await mailOf(await newJob('Beekeeper'), { applicant: sent }), sent.email);
  });

  it.each(texts)('with the title %j', async (title) => {
    const sent = applicant('Ada');
    const received = await mailOf(await newJob(title), { applicant: sent });
    await expectOrdinary(received, sent.email);
    const { subject } = await simpleParser(received.raw);
    // A title that is an encoded word is shown decoded, which is still text.
    if (!title.startsWith('=?')) expect(wordsOf(subject)).toEqual(wordsOf(`Application: ${title}`));
  });

  it.each([
    'a"; filename="b.exe',
    'a; name=b.exe',
    `=?utf-8?B?${ENCODED}?=`,
    'Zo\u00eb \u5c65\u6b74\u66f8 \u{1F600}.pdf',
    "utf-8''a%0D%0ABcc: evil@evil.example",
    `${'\u00e9'.repeat(251)}.pdf`,
  ])('with the file name %j', async (name) => {
    const sent = applicant('Ada');
    const received = await mailOf(await newJob('Beekeeper'), { applicant: sent }, name);
    await expectOrdinary(received, sent.email);
    const parts = received.raw
      .toString('latin1')
      .split(/\r\n--\S+\r\n/)
      .map(headerNames);
    expect(parts.filter((names) => names.includes('content-disposition'))).toEqual([
      ['content-disposition', 'content-transfer-encoding', 'content-type'],
    ]);
    const { attachments } = await simpleParser(received.raw);
    expect(attachments).toHaveLength(1);
    // The extension is that of the bytes.
    expect(attachments[0]?.filename).toBe(name.endsWith('.pdf') ? name : `${name}.pdf`);
  });

  it('with every other field', async () => {
    const evil = '\r\n.\r\nMAIL FROM:<evil@evil.example>\r\n--boundary\r\nContent-Type: text/html\r\n\r\n<b>';
    const line = '</td><script>alert(1)</script>\u2028.';
    const sent = { ...applicant('Ada'), phone: line, location: line };
    const received = await mailOf(await newJob('Beekeeper'), {
      applicant: sent,
      coverLetter: evil,
      answers: [{ question: line, answer: evil }],
      referenceId: line,
      source: line,
    });
    await expectOrdinary(received, sent.email);
    const { html, attachments } = await simpleParser(received.raw);
    expect(html).not.toMatch(/<script|<b>/);
    expect(attachments).toHaveLength(1);
  });
});

describe('line ends and other control characters', () => {
  it.each(['\r\nBcc: evil@evil.example', '\nBcc: x', '\rBcc: x', '\0', '\u0085Bcc: x', '\u001b[2J'])(
    '%j are refused in names, addresses and titles',
    async (text) => {
      const path = `/jobs/${await newJob('Beekeeper')}/applications`;
      for (const [field, value] of Object.entries({ name: `Ada${text}`, email: `ada@example.com${text}` })) {
        const { status, json } = await site.post(path, {
          applicant: { ...applicant('Ada'), [field]: value },
        });
        expect([status, json.errors[0].pointer]).toEqual([422, `#/applicant/${field}`]);
      }
      const { status } = await world.api.post('/jobs', jobBody(world.companyId, { title: `Title${text}` }));
      expect(status).toBe(422);
      expect(mail.mails).toEqual([]);
    },
  );
});
