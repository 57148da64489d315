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
    expect(nextVersion(job, after, now)).toBeUndefined();
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
  it('is one more, without a transition where the status stays', () => {
    expect(nextVersion(job, change({ title: 'x' }), now)).toMatchObject({
      job: { version: 5 },
      transitions: [],
    });
  });

  it.each([
    ['closing', { status: { id: 2 as const } }, [{ version: 5, statusId: 2, at: now }]],
    ['going back to pending', { publishDate: '2026-05-01' }, []],
  ])('of %s', (_what, body, transitions) => {
    expect(nextVersion(job, change(body), now)?.transitions).toEqual(transitions);
  });

  it('sees a change of the categories', () => {
    expect(nextVersion(job, { ...job, categories: [] }, now)?.job.version).toBe(5);
  });
});
