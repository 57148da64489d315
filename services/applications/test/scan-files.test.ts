import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getApplicationFile } from '@joblisting/contracts';
import { createLog } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import { type MailServer, startMailServer } from '@joblisting/testing/mail';
import { simpleParser } from 'mailparser';
import { fileStore } from '../src/store/file-store.ts';
import { scanStore } from '../src/store/scan-store.ts';
import { scanningFiles } from '../src/tasks/scan-files.ts';
import {
  ada,
  applyOf,
  companyOf,
  openJob,
  pdf,
  type RunningApplications,
  runApplications,
} from './running-applications.ts';

const SIGNATURE = 'SIGNATURE-OF-THE-TEST';
const UNREADABLE = 'UNREADABLE-TO-CLAMD';

/** Speaks clamd's INSTREAM: finds one signature, and answers nothing while it is away. */
function clamdStandIn() {
  /** Connections, and scans of unreadable content, by the milliseconds at which they began. */
  const self = { isAway: false, connections: [] as number[], unreadable: [] as number[] };
  const onConnection = (socket: Socket): void => {
    self.connections.push(performance.now());
    if (self.isAway) return void socket.destroy();
    let received = Buffer.alloc(0);
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        if (received.subarray(-4).readUInt32BE() !== 0) return;
        if (received.includes(UNREADABLE)) self.unreadable.push(performance.now());
        const answer = received.includes(SIGNATURE) ? 'Test FOUND' : 'OK';
        socket.end(`stream: ${received.includes(UNREADABLE) ? 'unpack failed ERROR' : answer}\0`);
      });
  };
  const server: Server = createServer(onConnection);
  return Object.assign(self, { server });
}

const between = (times: readonly number[], first: number, last: number): number =>
  (times[last] ?? Number.NaN) - (times[first] ?? Number.NaN);

const clamd = clamdStandIn();
let mail: MailServer;
let running: RunningApplications;
let apply: ReturnType<typeof applyOf>;
beforeAll(async () => {
  await new Promise<void>((resolve) => clamd.server.listen(0, '127.0.0.1', resolve));
  const { port } = clamd.server.address() as AddressInfo;
  mail = await startMailServer();
  running = await runApplications({
    MAIL: 'on',
    SMTP_URL: mail.url,
    CLAMD_URL: `tcp://127.0.0.1:${port}`,
  });
  apply = applyOf(running);
  running.jobs.set(1, openJob(1, { applicationEmails: ['hr@acme.example'] }));
});
afterAll(async () => {
  await running.stop();
  await mail.stop();
  clamd.server.close();
});

const download = (id: number, fileId = 1) =>
  running.bus.forward(getApplicationFile, { id, fileId }, undefined, companyOf(1));

describe('files with a virus scanner', () => {
  it('wait, and are neither downloaded nor sent meanwhile', async () => {
    clamd.isAway = true;
    const { data } = await apply.multipart(1, { applicant: ada }, [{ name: 'cv.pdf', content: pdf() }]);
    expect(data.files[0].scan).toBe('pending');
    await expect(download(data.id)).rejects.toMatchObject({ code: 'file_not_scanned', retryAfterSeconds: 5 });
    const asked = clamd.connections.length;
    await waitFor(() => clamd.connections.length > asked + 1, { what: 'two more attempts to scan' });
    expect(mail.mails).toEqual([]);
    clamd.isAway = false;
    await waitFor(() => mail.mails.length === 1, { what: 'the mail' });
    expect((await apply.read(data.id)).files).toMatchObject([{ scan: 'clean' }]);
    expect(Buffer.from((await download(data.id)).data)).toEqual(pdf());
  });

  it('are tried one at a time, after longer and longer pauses, while the scanner is away', async () => {
    clamd.isAway = true;
    mail.mails.length = 0;
    clamd.connections.length = 0;
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']) {
      await apply.multipart(1, { applicant: { ...ada, email } }, [{ name: 'cv.pdf', content: pdf(email) }]);
    }
    await waitFor(() => clamd.connections.length >= 3, { limitMs: 15_000, what: 'three attempts' });
    expect(between(clamd.connections, 0, 2)).toBeGreaterThan(2900);
    clamd.isAway = false;
    await waitFor(() => mail.mails.length === 4, { limitMs: 15_000, what: 'the mails' });
  }, 30_000);

  it('are removed with a virus, and the application says so', async () => {
    mail.mails.length = 0;
    const { data } = await apply.multipart(1, { applicant: ada, coverLetter: 'infected' }, [
      { name: 'bad.pdf', content: pdf(SIGNATURE) },
      { name: 'good.pdf', content: pdf('good') },
    ]);
    await waitFor(() => mail.mails.length === 1, { what: 'the mail' });
    expect((await apply.read(data.id)).files).toMatchObject([{ scan: 'infected' }, { scan: 'clean' }]);
    await expect(download(data.id, 1)).rejects.toMatchObject({ code: 'file_not_found' });
    expect(Buffer.from((await download(data.id, 2)).data)).toEqual(pdf('good'));
    const sent = await simpleParser(mail.mails[0]?.raw ?? '');
    expect(sent.attachments.map(({ filename }) => filename)).toEqual(['good.pdf']);
    expect(sent.text).toContain('bad.pdf (removed: a virus was found)');
  });

  it('still wait if an infected one could not be removed', async () => {
    clamd.isAway = true;
    mail.mails.length = 0;
    const { data } = await apply.multipart(1, { applicant: { ...ada, email: 'kept@example.com' } }, [
      { name: 'bad.pdf', content: pdf(SIGNATURE) },
    ]);
    const files = { ...fileStore(running.mongo), remove: () => Promise.reject(new Error('not removed')) };
    const scanFiles = scanningFiles({
      scans: scanStore(running.mongo, files),
      files,
      scan: async () => 'infected',
      log: createLog('applications', 'silent'),
      stopping: new AbortController().signal,
    });
    await scanFiles();
    expect((await apply.read(data.id)).files).toMatchObject([{ scan: 'pending' }]);
    clamd.isAway = false;
    await waitFor(() => mail.mails.length === 1, { what: 'the mail' });
    expect((await apply.read(data.id)).files).toMatchObject([{ scan: 'infected' }]);
  });

  it('do not wait for one that cannot be scanned', async () => {
    mail.mails.length = 0;
    clamd.unreadable.length = 0;
    const applicant = { ...ada, email: 'first@example.com' };
    const bad = await apply.multipart(1, { applicant }, [{ name: 'a.pdf', content: pdf(UNREADABLE) }]);
    const good = await apply.multipart(1, { applicant: { ...ada, email: 'second@example.com' } }, [
      { name: 'b.pdf', content: pdf('second') },
    ]);
    await waitFor(() => mail.mails.length === 1, { what: 'the mail of the second' });
    expect((await apply.read(good.data.id)).files).toMatchObject([{ scan: 'clean' }]);
    expect((await apply.read(bad.data.id)).files).toMatchObject([{ scan: 'pending' }]);
    await waitFor(() => clamd.unreadable.length >= 3, { limitMs: 15_000, what: 'three attempts' });
    expect(between(clamd.unreadable, 0, 2)).toBeGreaterThan(2500);

    await running.stopReplicas();
    await running.addReplica({ CLAMD_URL: '' });
    await waitFor(() => mail.mails.length === 2, { what: 'the mail of the first, once no scanner is set' });
    expect((await apply.read(bad.data.id)).files).toMatchObject([{ scan: 'none' }]);
  }, 30_000);
});
