import {
  type JobChanges,
  type NewJob,
  refuseInvalid,
  requiredOfNewJob,
  type Violation,
  type Warning,
} from '@joblisting/contracts';
import { type CategoryReference, plainReferences } from './categories.ts';
import { blankContent, brokenProperties, mergeContent, withoutBroken } from './content.ts';
import type { HtmlJudge } from './description.ts';
import { newFindings } from './findings.ts';
import type { Company, HeldCategory, Job, JobContent, Link } from './job.ts';
import { firstStatus } from './status-change.ts';

/** A valid new job, still without its id, company, categories and link. */
export interface DecidedJob {
  readonly content: JobContent;
  readonly statusId: Job['statusId'];
  readonly categories: readonly CategoryReference[];
  readonly warnings: readonly Warning[];
}

/** `required` for each property that a new job needs and the body lacks. */
export const missingOfNewJob = (body: JobChanges): Violation[] =>
  requiredOfNewJob
    .filter((name) => body[name] === undefined)
    .map((name) => ({ pointer: `#/${name}`, code: 'required', detail: `${name} is required.` }));

/**
 * Decides about a new job. Missing properties, shape and rules are one stage: throws `validation_failed` with all
 * violations (API decisions, "Order of refusals").
 * @param shape the violations of the body's schema; the rules skip these properties
 * @param judge gives the verdict on an html description, if it is known already; by default it is judged here
 */
export function decideNew(
  body: NewJob | JobChanges,
  shape: readonly Violation[],
  now: number,
  judge?: HtmlJudge,
): DecidedJob {
  const findings = newFindings();
  const broken = brokenProperties(shape);
  const valid = withoutBroken(body, broken);
  const content = {
    ...mergeContent(blankContent, valid, broken, findings, judge),
    publishDate: valid.publishDate ?? '',
    closeDate: valid.closeDate ?? null,
  };
  refuseInvalid([...shape, ...findings.violations]);
  const statusId = firstStatus(content, valid, now, findings);
  return {
    content,
    statusId,
    categories: plainReferences(valid.categories ?? []),
    warnings: findings.warnings,
  };
}

interface NewJobParts {
  readonly id: number;
  readonly company: Company;
  readonly categories: readonly HeldCategory[];
  readonly link: Link;
}

/** The new job at version 1. */
export const makeJob = (
  { content, statusId }: DecidedJob,
  { id, company, categories, link }: NewJobParts,
): Job => ({
  id,
  company,
  ...content,
  categories,
  url: link.url,
  linkPending: link.linkPending,
  statusId,
  version: 1,
  viewCount: 0,
  applicationCount: 0,
  clickThroughCount: 0,
});
