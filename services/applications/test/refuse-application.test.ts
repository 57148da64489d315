import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import {
  ada,
  applyOf,
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

describe('createApplication refuses', () => {
  const refusalOf = async (sending: Promise<unknown>) => {
    const error = await sending.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ServiceError)) throw new Error('it was not refused', { cause: error });
    const { code, conflict, errors } = error;
    return {
      code,
      conflict,
      errors: errors.map(({ pointer, code: violation }) => `${pointer} ${violation}`),
    };
  };

  it('a job that is not Published, with its status', async () => {
    const closed = { id: 2, name: 'Closed' } as const;
    running.jobs.set(2, openJob(2, { status: closed }));
    expect(await refusalOf(apply.json(2, { applicant: ada }))).toMatchObject({
      code: 'job_not_open',
      conflict: { resource: 'job', id: 2, status: closed },
    });
  });

  it('a click-through job, with its applicationUrl', async () => {
    const applicationUrl = 'https://acme.example/apply';
    running.jobs.set(
      3,
      openJob(3, { applicantRoutingType: { id: 2, name: 'Click-through' }, applicationUrl }),
    );
    expect(await refusalOf(apply.json(3, { applicant: ada }))).toMatchObject({
      code: 'applications_not_collected',
      conflict: { resource: 'job', id: 3, applicationUrl },
    });
  });

  it('an unknown job', async () => {
    expect(await refusalOf(apply.json(99, { applicant: ada }))).toMatchObject({ code: 'job_not_found' });
  });

  it('a consumer key without the scope', async () => {
    const context = searchSite();
    const sent = apply.json(
      1,
      { applicant: ada },
      {
        ...context,
        principal: { ...context.principal, scopes: [] },
      },
    );
    expect(await refusalOf(sent)).toMatchObject({ code: 'scope_missing' });
  });

  it('everything that is wrong at once', async () => {
    const body = {
      applicant: { name: ' ', email: 'nobody' },
      coverLetter: 'x'.repeat(20_001),
      consentAt: 'yesterday',
    };
    const files = [
      { name: 'cv.exe', content: Buffer.from('MZ\0\0') },
      { name: 'evil\u202Efdp.exe', content: pdf() },
    ];
    expect(await refusalOf(apply.multipart(1, body, files))).toEqual({
      code: 'validation_failed',
      conflict: undefined,
      errors: [
        '#/applicant/name blank',
        '#/applicant/email invalid_email',
        '#/coverLetter too_long',
        '#/consentAt invalid_value',
        '#/files/0 file_type',
        '#/files/1 invalid_value',
      ],
    });
  });

  it('more than five files, and more than 5 MiB', async () => {
    const many = Array.from({ length: 6 }, (_, index) => ({ name: `${index}.pdf`, content: pdf() }));
    const body = { applicant: ada };
    expect((await refusalOf(apply.multipart(1, body, many))).errors).toEqual(['#/files/5 too_many']);
    const large = Buffer.concat([pdf(), Buffer.alloc(5 * 1024 ** 2)]);
    expect((await refusalOf(apply.multipart(1, body, [{ name: 'cv.pdf', content: large }]))).errors).toEqual([
      '#/files too_long',
    ]);
  });

  it.each([[{ name: 'cv.pdf', content: 'JVBERi0=' }], [null], [1], [[]]])(
    'files in JSON: %j',
    async (file) => {
      const { code, errors } = await refusalOf(apply.json(1, { applicant: ada, files: [file] }));
      expect(code).toBe('validation_failed');
      expect(errors).toContain('#/files/0 type');
    },
  );

  it('a draft as a job that is not there', async () => {
    running.jobs.set(6, openJob(6, { status: { id: 5, name: 'Draft' } }));
    expect(await refusalOf(apply.json(6, { applicant: ada }))).toMatchObject({ code: 'job_not_found' });
  });

  it('a closed click-through job without its applicationUrl', async () => {
    running.jobs.set(
      7,
      openJob(7, {
        status: { id: 2, name: 'Closed' },
        applicantRoutingType: { id: 2, name: 'Click-through' },
        applicationUrl: 'https://acme.example/apply',
      }),
    );
    const { code, conflict } = await refusalOf(apply.json(7, { applicant: ada }));
    expect(code).toBe('job_not_open');
    expect(conflict).not.toHaveProperty('applicationUrl');
  });

  it('another request with a used Idempotency-Key, but not one for another job', async () => {
    running.jobs.set(4, openJob(4));
    const applicant = { ...ada, email: 'used@example.com' };
    await apply.json(1, { applicant }, searchSite('used'));
    expect(await refusalOf(apply.json(1, { applicant: ada }, searchSite('used')))).toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(await apply.json(4, { applicant }, searchSite('used'))).toMatchObject({ outcome: 'created' });
  });
});
