import { describe, expect, it } from '@jest/globals';
import type { JobBody } from '../postings/mapping.ts';
import { isSameJob } from './same-job.ts';

const body: JobBody = {
  referenceId: 'REQ-1',
  company: { id: 3 },
  employer: null,
  title: 'Nurse',
  publishDate: '2020-11-01',
  closeDate: null,
  city: 'Bath',
  province: { country: { id: 826 } },
  types: [{ id: 1 }, { id: 4 }],
  description: '<p>Care</p>',
  descriptionFormat: 'html',
  applicantRoutingType: { id: 2 },
  applicationUrl: 'https://jobs.example.com/1',
};
const job = {
  ...body,
  id: 9,
  company: { id: 3, name: 'Trust' },
  province: { id: null, name: null, country: { id: 826, name: 'United Kingdom' } },
  types: [
    { id: 4, name: 'Temporary' },
    { id: 1, name: 'Full-time' },
  ],
  applicantRoutingType: { id: 2, name: 'Click-through' },
  status: { id: 1, name: 'Published' },
};
const california = { id: 7, name: 'California', country: { id: 840, name: 'USA' } };

describe('isSameJob', () => {
  it('ignores names, the order of types and read-only properties', () => {
    expect(isSameJob(job, body)).toBe(true);
  });

  it('ignores properties that the body leaves out', () => {
    expect(isSameJob(job, { ...body, title: undefined })).toBe(true);
  });

  it.each<[change: Partial<JobBody>]>([
    [{ employer: 'Trust' }],
    [{ title: 'nurse' }],
    [{ closeDate: '2020-11-30' }],
    [{ city: null }],
    [{ province: null }],
    [{ province: { id: 7 } }],
    [{ province: { country: { id: 840 } } }],
    [{ types: [{ id: 1 }] }],
    [{ types: [] }],
    [{ description: '<p>Care</p> ' }],
    [{ company: { id: 4 } }],
  ])('detects %j', (change) => {
    expect(isSameJob(job, { ...body, ...change })).toBe(false);
  });

  it('distinguishes a province from its country', () => {
    expect(isSameJob({ ...job, province: california }, { ...body, province: { id: 7 } })).toBe(true);
    expect(isSameJob({ ...job, province: california }, { ...body, province: { country: { id: 840 } } })).toBe(
      false,
    );
    expect(isSameJob({ ...job, province: null }, { ...body, province: null })).toBe(true);
  });
});
