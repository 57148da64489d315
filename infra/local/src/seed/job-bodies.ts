import type { DemoApplication } from './demo-applications.ts';

export type DemoJob = {
  readonly title: string;
  readonly about: string;
  readonly tasks: readonly string[];
  /** System categories by id, own ones by name. */
  readonly categories: readonly (number | string)[];
  /** Job type ids. */
  readonly types: readonly number[];
  /** Days from today; negative: in the past. */
  readonly publishInDays: number;
  readonly closeInDays?: number;
  /** Only of a published job that sends applicants here. */
  readonly applications?: readonly DemoApplication[];
};

export type DemoEmployer = {
  readonly name: string;
  readonly domain: string;
  readonly city: string;
  readonly province: string;
  /** ISO 3166-1 numeric. */
  readonly countryId: number;
  readonly jobs: readonly DemoJob[];
};

const dayMs = 24 * 60 * 60 * 1000;

export type Placement = {
  readonly companyId: number;
  readonly provinceId: number;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** The bodies of PUT /jobs for one employer. They alternate html and text, and both kinds of routing. */
export function jobBodies(employer: DemoEmployer, placement: Placement): Record<string, unknown>[] {
  return employer.jobs.map((job, index) => ({
    referenceId: `demo-${String(index + 1).padStart(3, '0')}`,
    company: { id: placement.companyId },
    title: job.title,
    publishDate: day(placement.now, job.publishInDays),
    closeDate: job.closeInDays === undefined ? null : day(placement.now, job.closeInDays),
    city: employer.city,
    province: index % 6 === 5 ? { country: { id: employer.countryId } } : { id: placement.provinceId },
    categories: job.categories.map((category) =>
      typeof category === 'number' ? { id: category } : { name: category },
    ),
    types: job.types.map((id) => ({ id })),
    ...description(job, index % 2 === 0),
    ...routing(employer, job, index % 3 === 0),
  }));
}

function description({ about, tasks }: DemoJob, html: boolean): object {
  if (html) {
    const items = tasks.map((task) => `<li>${task}</li>`).join('');
    return {
      descriptionFormat: 'html',
      description: `<p>${about}</p><p><strong>You will</strong></p><ul>${items}</ul>`,
    };
  }
  const items = tasks.map((task) => `- ${task}`).join('\n');
  return { descriptionFormat: 'text', description: `${about}\n\nYou will\n${items}` };
}

function routing({ domain }: DemoEmployer, { title }: DemoJob, clickThrough: boolean): object {
  const slug = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return clickThrough
    ? { applicantRoutingType: { id: 2 }, applicationUrl: `https://careers.${domain}/${slug}` }
    : { applicantRoutingType: { id: 1 }, applicationEmails: [`jobs@${domain}`] };
}

function day(now: number, inDays: number): string {
  return new Date(now + inDays * dayMs).toISOString().slice(0, 10);
}
