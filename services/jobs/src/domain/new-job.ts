import {
  type JobChanges,
  type NewJob,
  refuseInvalid,
  requiredOfNewJob,
  type Violation,
  type Warning,
} from '@joblisting/contracts';
import { type CategoryReference, plainReferences } from './categories.ts';
import { blankContent, brokenProperties, mergeContent, soundPart } from './content.ts';
import type { HtmlJudge } from './description.ts';
import { newFindings } from './findings.ts';
import type { Company, HeldCategory, Job, JobContent, Link } from './job.ts';
import { firstStatus } from './status-change.ts';

/** A job that may be made, but for its id, company, categories and link. */
export interface DecidedJob {
  readonly content: JobContent;
  readonly statusId: Job['statusId'];
  readonly categories: readonly CategoryReference[];
  readonly warnings: readonly Warning[];
}

/** `required` for each property that a new job cannot do without and that the body does not have. */
export const missingOfNewJob = (body: JobChanges): Violation[] =>
  requiredOfNewJob
    .filter((name) => body[name] === undefined)
    .map((name) => ({ pointer: `#/${name}`, code: 'required', detail: `${name} is required.` }));

/**
 * Decides about a new job. Missing properties, shape and rules are one stage: throws `validation_failed` with all
 * of them (API decisions, "Order of refusals").
 * @param shape the violations of the body's schema; the rules leave these properties out.
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
  const sound = soundPart(body, broken);
  const content = {
    ...mergeContent(blankContent, sound, broken, findings, judge),
    publishDate: sound.publishDate ?? '',
    closeDate: sound.closeDate ?? null,
  };
  refuseInvalid([...shape, ...findings.violations]);
  const statusId = firstStatus(content, sound, now, findings);
  return {
    content,
    statusId,
    categories: plainReferences(sound.categories ?? []),
    warnings: findings.warnings,
  };
}

interface Made {
  readonly id: number;
  readonly company: Company;
  readonly categories: readonly HeldCategory[];
  readonly link: Link;
}

/** The new job at version 1. */
export const makeJob = ({ content, statusId }: DecidedJob, { id, company, categories, link }: Made): Job => ({
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
