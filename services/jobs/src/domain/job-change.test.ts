import type { JobChanges } from '@joblisting/contracts';
import { describe, expect, it } from '@jest/globals';
import type { Job } from './job.ts';
import { decideChange, nextVersion } from './job-change.ts';
import { decideNew, makeJob } from './new-job.ts';
import { toReply } from './reply.ts';

const now = Date.parse('2026-03-10T15:00:00Z');
const job: Job = {
  ...makeJob(
    decideNew(
      {
        referenceId: 'ref-1',
        company: { id: 7 },
        employer: 'Other Ltd',
        title: 'Welder',
        publishDate: '2026-03-01',
        closeDate: '2026-06-01',
        city: 'Leeds',
        province: { country: { id: 826 } },
        types: [{ id: 1 }],
        description: 'a < b',
        applicantRoutingType: { id: 1 },
        applicationEmails: ['a@example.com'],
      },
      [],
      now,
    ),
    {
      id: 12,
      company: { id: 7, name: 'Acme' },
      categories: [{ id: 3, name: 'Trades', version: 1 }],
      link: { url: 'https://s.example/a', linkPending: false },
    },
  ),
  version: 4,
};
const change = (body: JobChanges) => decideChange(job, body, now).job;

describe('decideChange', () => {
  it('changes only what is sent', () => {
    expect(change({ title: 'Senior welder' })).toEqual({ ...job, title: 'Senior welder' });
  });

  it('clears what null clears', () => {
    const body = { employer: null, city: null, province: null, closeDate: null, referenceId: null };
    expect(change({ ...body, types: null, applicationEmails: null })).toEqual({
      ...job,
      ...body,
      typeIds: [],
      applicationEmails: [],
    });
  });

  it('changes nothing when what a GET shows is sent back', () => {
    const { job: after, warnings } = decideChange(job, toReply(job) as JobChanges, now);
    expect(nextVersion(job, after, now, {})).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('refuses another company together with the other broken rules', () => {
    expect(() => change({ company: { id: 8 }, types: [{ id: 99 }] })).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [
          expect.objectContaining({ pointer: '#/company/id', code: 'immutable' }),
          expect.objectContaining({ pointer: '#/types/0/id', code: 'unknown_id' }),
        ],
      }),
    );
  });
});

describe('nextVersion', () => {
  const requester = { requestedBy: { consumerId: 3, userId: 4 }, requestId: 'r1' };
  const changeOf = (body: JobChanges) => nextVersion(job, change(body), now, requester)?.change;

  it('rises by one; the change names the changed properties and the requester', () => {
    expect(nextVersion(job, change({ title: 'x' }), now, requester)).toMatchObject({ job: { version: 5 } });
    expect(changeOf({ title: 'x' })).toEqual({
      kind: 'updated',
      version: 5,
      companyId: job.company.id,
      referenceId: job.referenceId,
      statusId: job.statusId,
      at: now,
      fields: ['title'],
      ...requester,
    });
  });

  it.each<[string, JobChanges, string, number]>([
    ['closing', { status: { id: 2 } }, 'closed', 2],
    ['going back to pending', { publishDate: '2026-05-01' }, 'updated', 3],
  ])('names the kind of change of %s', (_what, body, kind, statusId) => {
    expect(changeOf(body)).toMatchObject({ kind, statusId, fields: expect.arrayContaining(['status']) });
  });

  it('says that a pending job is published', () => {
    const pending = { ...job, statusId: 3 as const };
    const published = { ...job, statusId: 1 as const };
    expect(nextVersion(pending, published, now, {})?.change).toMatchObject({
      kind: 'published',
      statusId: 1,
    });
  });

  it('sees a change of the categories', () => {
    const next = nextVersion(job, { ...job, categories: [] }, now, {});
    expect(next?.job.version).toBe(5);
    expect(next?.change.fields).toEqual(['categories']);
  });
});
