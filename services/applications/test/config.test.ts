import { describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@joblisting/testing';
import { ada, applyOf, openJob, runApplications } from './running-applications.ts';

describe('the configuration', () => {
  it('needs SMTP_URL and MAIL_FROM in production, unless MAIL=off', async () => {
    const wrong = runApplications({ NODE_ENV: 'production', MAIL: 'on' });
    await expect(wrong).rejects.toThrow('SMTP_URL is required with NODE_ENV=production, unless MAIL=off');
    await expect(wrong).rejects.toThrow('MAIL_FROM is required with NODE_ENV=production, unless MAIL=off');
    await (await runApplications({ NODE_ENV: 'production', MAIL: 'off' })).stop();
  });

  it('never repeats a password of SMTP_URL', async () => {
    const wrong = runApplications({ SMTP_URL: 'http://user:secret-word@mail.example' });
    await expect(wrong).rejects.toThrow('SMTP_URL must match pattern');
    await expect(wrong).rejects.not.toThrow('secret-word');
  });
});

describe('without SMTP_URL', () => {
  it('each mail is a file that only its owner reads', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mail-'));
    const running = await runApplications({ MAIL: 'on', MAIL_DIR: join(directory, 'mail') });
    try {
      running.jobs.set(1, openJob(1, { applicationEmails: ['hr@acme.example'] }));
      const { data } = await applyOf(running).json(1, { applicant: ada });
      const name = `application-${data.id}-0-0.eml`;
      const path = join(directory, 'mail', name);
      const text = await waitFor(() => readFile(path, 'utf8'), { what: 'the file' });
      expect(text).toContain('Subject: Application: Beekeeper');
      expect(await readdir(join(directory, 'mail'))).toEqual([name]);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    } finally {
      await running.stop();
      await rm(directory, { recursive: true });
    }
  });
});
