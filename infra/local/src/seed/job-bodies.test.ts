import { describe, expect, it } from '@jest/globals';
import { demoCompanies } from './demo-companies.ts';
import { jobBodies } from './job-bodies.ts';

const today = '2026-03-10';
const placement = { companyId: 7, provinceId: 5_785_368, now: Date.parse(`${today}T09:00:00Z`) };
type Body = {
  referenceId: string;
  publishDate: string;
  closeDate: string | null;
  descriptionFormat: string;
  applicantRoutingType: { id: number };
  applicationEmails?: string[];
  categories: object[];
};

describe.each(demoCompanies)('the demo jobs of $name', (employer) => {
  const bodies = jobBodies(employer, placement) as Body[];
  const published = ({ publishDate, closeDate }: Body): boolean =>
    publishDate <= today && (closeDate === null || closeDate > today);

  it('have distinct reference ids, so that they can be sent again', () => {
    expect(new Set(bodies.map(({ referenceId }) => referenceId)).size).toBe(bodies.length);
    expect(bodies.length).toBeLessThanOrEqual(100);
  });

  it('include published, pending and closed ones', () => {
    expect(bodies.filter(published).length).toBeGreaterThan(5);
    expect(bodies.some(({ publishDate }) => publishDate > '2026-03-11')).toBe(true);
    expect(bodies.some(({ closeDate }) => closeDate !== null && closeDate < today)).toBe(true);
  });

  it('take applications only if they are published and have recipients, each with a distinct reference id', () => {
    const open = employer.jobs.flatMap(({ applications = [] }, index) => {
      const body = bodies[index];
      const takesThem =
        body && published(body) && body.applicantRoutingType.id === 1 && body.applicationEmails;
      return applications.map(({ referenceId }) => ({ referenceId, takesThem }));
    });
    expect(open.filter(({ takesThem }) => !takesThem)).toEqual([]);
    expect(new Set(open.map(({ referenceId }) => referenceId)).size).toBe(open.length);
  });

  it('use both formats, both kinds of routing, and categories by id and by name', () => {
    expect(new Set(bodies.map(({ descriptionFormat }) => descriptionFormat))).toEqual(
      new Set(['html', 'text']),
    );
    expect(new Set(bodies.map(({ applicantRoutingType }) => applicantRoutingType.id))).toEqual(
      new Set([1, 2]),
    );
    const categories = bodies.flatMap((body) => body.categories);
    expect(categories.some((category) => 'id' in category)).toBe(true);
    expect(categories.some((category) => 'name' in category)).toBe(true);
  });
});
