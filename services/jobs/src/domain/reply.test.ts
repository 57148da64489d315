import { Job as JobSchema, JobHeader } from '@joblisting/contracts';
import { compileBody } from '@joblisting/service-kit';
import { describe, expect, it } from '@jest/globals';
import { decideNew, makeJob } from './new-job.ts';
import { toHeader, toPaging, toReply } from './reply.ts';

const now = Date.parse('2026-03-10T15:00:00Z');
const decided = decideNew(
  {
    company: { id: 7 },
    title: 'Welder',
    publishDate: '2026-03-01',
    closeDate: '2026-03-05',
    province: { country: { id: 826 } },
    types: [{ id: 1 }],
    description: 'Weld.',
    applicantRoutingType: { id: 2 },
    applicationUrl: 'https://example.com/apply',
  },
  [],
  now,
);
const job = makeJob(decided, {
  id: 12,
  company: { id: 7, name: 'Acme' },
  categories: [{ id: 3, name: 'Trades', version: 9 }],
  link: { url: 'https://s.example/a', linkPending: true },
});

describe('toReply', () => {
  it('is what the contract says, and nothing more', () => {
    const checker = compileBody(JobSchema);
    expect(checker.check(toReply(job))).toEqual([]);
    expect(checker.unknownFields(toReply(job))).toEqual([]);
    expect(Object.keys(toReply(job)).toSorted()).toEqual(Object.keys(JobSchema.properties).toSorted());
  });

  it('shows names and the displayDate', () => {
    expect(toReply(job)).toMatchObject({
      displayDate: '2026-03-05',
      categories: [{ id: 3, name: 'Trades' }],
      types: [{ id: 1, name: 'Full-time' }],
      applicantRoutingType: { id: 2, name: 'Click-through' },
      status: { id: 2, name: 'Closed' },
      province: { id: null, name: null, country: { id: 826 } },
    });
  });
});

describe('toHeader', () => {
  it('is what the contract says, and nothing more', () => {
    const checker = compileBody(JobHeader);
    const header = toHeader({ ...job, displayDate: '2026-03-05' });
    expect(checker.check(header)).toEqual([]);
    expect(Object.keys(header).toSorted()).toEqual(Object.keys(JobHeader.properties).toSorted());
  });
});

describe('toPaging', () => {
  it.each([
    [0, 50, 0],
    [1, 50, 1],
    [50, 50, 1],
    [51, 50, 2],
  ])('%d jobs in pages of %d are %d pages', (total, pageSize, pages) => {
    expect(toPaging(total, pageSize, 1)).toEqual({ total, pageSize, page: 1, pages });
  });
});
