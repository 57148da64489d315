import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deadlineExceeded, ServiceError } from '@joblisting/contracts';
import { referencesOf } from './peers.ts';
import { caller, faultsOf, newJob, readBack, refusalOf, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => {
  jobs.peers.linkFault = () => Promise.resolve();
  jobs.peers.linksFinal = true;
  jobs.peers.beforeAcquire = () => Promise.resolve();
});

describe('createJob creates', () => {
  it('a job from the smallest body', async () => {
    const { outcome, id, version, data, warnings } = await jobs.create(newJob());
    expect({ outcome, version, warnings }).toEqual({ outcome: 'created', version: 1, warnings: [] });
    expect(data).toEqual({
      id,
      referenceId: null,
      company: { id: 1, name: 'Company 1' },
      employer: null,
      title: 'Welder',
      publishDate: '2026-03-01',
      closeDate: null,
      displayDate: '2026-03-01',
      city: null,
      province: null,
      categories: [],
      types: [],
      description: 'Weld.',
      descriptionFormat: 'text',
      applicantRoutingType: { id: 1, name: 'Default' },
      applicationEmails: [],
      applicationUrl: null,
      url: `https://s.example/${id}`,
      status: { id: 1, name: 'Published' },
      viewCount: 0,
      applicationCount: 0,
      clickThroughCount: 0,
    });
    expect((await jobs.get(data.id)).data).toEqual(data);
  });

  it('an equal job from what was read', async () => {
    const full = newJob({
      employer: 'Other Ltd',
      closeDate: '2026-06-01',
      city: 'Leeds',
      province: { country: { id: 826 } },
      categories: [{ id: 1 }, { name: 'Category 2' }],
      types: [{ id: 3 }],
      description: '<p>Weld.</p>',
      descriptionFormat: 'html',
      applicationEmails: ['a@example.com'],
    });
    const first = (await jobs.create(full)).data;
    const { data: second, warnings } = await jobs.create(readBack(first));
    expect(second).toEqual({ ...first, id: second.id, url: second.url });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['2026-03-11', null, 'Published'],
    ['2026-03-12', null, 'Pending'],
    ['2026-03-01', '2026-03-10', 'Closed'],
    ['2026-03-01', '2026-03-11', 'Published'],
  ])('a job from %s to %s as %s', async (publishDate, closeDate, name) => {
    expect((await jobs.create(newJob({ publishDate, closeDate }))).data.status.name).toBe(name);
  });

  it('a job with its categories, counted, each once', async () => {
    const categories = [{ name: 'Game Design' }, { id: 2, name: 'ignored' }, { name: 'Category 2' }];
    const { data, warnings } = await jobs.create(newJob({ categories }));
    const made = data.categories[0]?.id ?? 0;
    expect(data.categories).toEqual([
      { id: made, name: 'Game Design' },
      { id: 2, name: 'Category 2' },
    ]);
    expect(warnings).toMatchObject([{ code: 'category_created', pointer: '#/categories/0/name' }]);
    expect(referencesOf(jobs.peers, data.id)).toEqual([2, made]);
  });

  it('a job with warnings about everything that was not stored as sent', async () => {
    const body = newJob({ description: 'a < b', status: { id: 2 }, salary: 1, viewCount: 7, id: 'x' });
    const { data, warnings } = await jobs.create(body);
    expect(data).toMatchObject({ description: 'a &lt; b', status: { id: 1 }, viewCount: 0 });
    expect(warnings?.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['unknown_field', '#/salary'],
      ['html_encoded', '#/description'],
      ['status_derived', '#/status/id'],
    ]);
  });
});

describe('createJob without a short link', () => {
  it.each([
    ['refuses', () => Promise.reject(new Error('away'))],
    ['is slow', () => new Promise<void>((resolve) => void setTimeout(resolve, 1000))],
  ])('falls back to the search address when the service %s', async (_what, fault) => {
    jobs.peers.linkFault = fault;
    const { data } = await jobs.create(newJob());
    expect(data.url).toBe(`https://search.example.com/Share/Job${data.id}`);
  });

  it('falls back when the provider is over its limit', async () => {
    jobs.peers.linksFinal = false;
    const { data } = await jobs.create(newJob());
    expect(data.url).toBe(`https://search.example.com/Share/Job${data.id}`);
  });
});

describe('createJob refuses as invalid', () => {
  it('missing fields, shape and rules together', async () => {
    const body = {
      company: { id: 1 },
      publishDate: '2026-02-30',
      description: '<h1>x</h1>',
      descriptionFormat: 'html',
      applicantRoutingType: { id: 2 },
      types: [{ id: 99 }],
      categories: [{ id: 1 }, { id: 1 }, { id: 1 }, { id: 1 }, { id: 1 }, { id: 1 }],
    };
    const refusal = await refusalOf(jobs.create(body));
    expect(refusal.code).toBe('validation_failed');
    expect(faultsOf(refusal)).toEqual([
      ['#/categories/5', 'too_many'],
      ['#/title', 'required'],
      ['#/publishDate', 'invalid_date'],
      ['#/types/0/id', 'unknown_id'],
      ['#/description', 'html_tag'],
      ['#/description', 'html_tag'],
      ['#/applicationUrl', 'required'],
    ]);
  });

  it.each([
    ['no object', [], 'malformed_json'],
    ['an operator for a value', newJob({ referenceId: { $ne: null } }), 'validation_failed'],
    ['status 5', newJob({ status: { id: 5 } }), 'validation_failed'],
    ['a null title', newJob({ title: null }), 'validation_failed'],
  ])('%s', async (_what, body, code) => {
    expect((await refusalOf(jobs.create(body))).code).toBe(code);
  });

  it('an unknown category, by its pointer', async () => {
    const refusal = await refusalOf(jobs.create(newJob({ categories: [{ id: 1 }, { id: 77 }] })));
    expect(faultsOf(refusal)).toEqual([['#/categories/1/id', 'unknown_id']]);
  });

  it('a granted company that does not exist', async () => {
    const refusal = await refusalOf(jobs.create(newJob({ company: { id: 901 } }), caller([901])));
    expect(faultsOf(refusal)).toEqual([['#/company/id', 'unknown_id']]);
  });

  it('a description over the limit once encoded', async () => {
    const refusal = await refusalOf(jobs.create(newJob({ description: '<'.repeat(1_100_000) })));
    expect(refusal.code).toBe('description_too_large');
  });
});

describe('createJob forbids', () => {
  it('a company that is not granted, once the body is right', async () => {
    const refusal = await refusalOf(jobs.create(newJob({ company: { id: 3 } })));
    expect(refusal.code).toBe('company_forbidden');
    expect(faultsOf(await refusalOf(jobs.create(newJob({ company: { id: 3 }, title: '' }))))).toEqual([
      ['#/title', 'too_short'],
    ]);
  });
});

describe('createJob with a referenceId', () => {
  it('refuses the same one again, and names the job that has it', async () => {
    const { data } = await jobs.create(newJob({ referenceId: 'R-1' }));
    const refusal = await refusalOf(
      jobs.create(newJob({ referenceId: 'R-1', categories: [{ name: 'Never made' }] })),
    );
    expect(refusal).toMatchObject({ code: 'reference_id_taken', conflict: { resource: 'job', id: data.id } });
    expect([...jobs.peers.categories.values()].map(({ name }) => name)).not.toContain('Never made');
  });

  it('takes the same one for another company, and another case', async () => {
    await jobs.create(newJob({ referenceId: 'R-2' }));
    await jobs.create(newJob({ referenceId: 'R-2', company: { id: 2 } }));
    await jobs.create(newJob({ referenceId: 'r-2' }));
  });

  it('creates one job from many requests at once, and keeps nothing of the others', async () => {
    const body = newJob({ referenceId: 'R-3', categories: [{ id: 4 }] });
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => jobs.create(body)));
    const made = answers.filter((answer) => answer.status === 'fulfilled');
    expect(made).toHaveLength(1);
    const id = made[0]?.value.data.id ?? 0;
    const counted = [...jobs.peers.references.keys()].filter((job) =>
      referencesOf(jobs.peers, job).includes(4),
    );
    expect(counted).toEqual([id]);
  });
});

describe('createJob past its deadline', () => {
  it('commits nothing', async () => {
    jobs.peers.beforeAcquire = () => new Promise((resolve) => void setTimeout(resolve, 400));
    const body = newJob({ referenceId: 'R-late', categories: [{ id: 1 }] });
    expect((await refusalOf(jobs.create(body, caller([1], 200)))).code).toBe('deadline_exceeded');
    jobs.peers.beforeAcquire = () => Promise.resolve();
    expect((await jobs.create(body)).outcome).toBe('created');
  });
});

describe('createJob and putJob › a refused request', () => {
  it('uses up no id', async () => {
    const next = async () => (await jobs.create(newJob())).data.id;
    const before = await next();
    const write = (how: 'create' | 'put', body: Record<string, unknown>, companyId = 1) =>
      refusalOf(jobs[how]({ referenceId: 'unused', ...body }, caller([companyId])));
    const unknownCompany = newJob({ company: { id: 999 } });
    for (const how of ['create', 'put'] as const) {
      expect((await write(how, newJob({ categories: [{ id: 77 }] }))).code).toBe('validation_failed');
      expect((await write(how, newJob({ title: '' }))).code).toBe('validation_failed');
      expect((await write(how, unknownCompany, 999)).code).toBe('validation_failed');
      for (const code of ['category_limit', 'overloaded'] as const) {
        jobs.peers.beforeAcquire = () => Promise.reject(new ServiceError(code));
        expect((await write(how, newJob({ categories: [{ name: 'New' }] }))).code).toBe(code);
        jobs.peers.beforeAcquire = () => Promise.resolve();
      }
    }
    expect(await next()).toBe(before + 1);
  });

  it('does not reuse its id if its work may still be done', async () => {
    const { id } = (await jobs.create(newJob())).data;
    jobs.peers.beforeAcquire = () => Promise.reject(deadlineExceeded());
    await refusalOf(jobs.create(newJob({ categories: [{ id: 1 }] })));
    jobs.peers.beforeAcquire = () => Promise.resolve();
    expect((await jobs.create(newJob())).data.id).toBe(id + 2);
  });
});
