import { isDeepStrictEqual } from 'node:util';
import { type JobChanges, refuseInvalid, type Warning } from '@joblisting/contracts';
import { type Change, type Requester, updateOf } from './change.ts';
import { mergeContent } from './content.ts';
import type { HtmlJudge } from './description.ts';
import { newFindings } from './findings.ts';
import type { Job } from './job.ts';
import { changeStatus } from './status-change.ts';

const NOTHING_BROKEN: ReadonlySet<string> = new Set();

/**
 * The job after a change, its categories and version as before. Throws `validation_failed` with every rule that the
 * merged job breaks.
 * @param before as it stands at `now`, with its due transitions applied
 * @param judge gives the verdict on an html description, if it is known already; by default it is judged here
 */
export function decideChange(
  before: Job,
  changes: JobChanges,
  now: number,
  judge?: HtmlJudge,
): { job: Job; warnings: readonly Warning[] } {
  const findings = newFindings();
  if (changes.company && changes.company.id !== before.company.id)
    findings.violate('#/company/id', 'immutable', 'The company of a job cannot change.');
  const job: Job = {
    ...before,
    ...mergeContent(before, changes, NOTHING_BROKEN, findings, judge),
    ...changeStatus(before, changes, now, findings),
  };
  refuseInvalid(findings.violations);
  return { job, warnings: findings.warnings };
}

/**
 * A changed job at its new version, and what changed. Undefined if nothing changed: the version stays (API decisions,
 * "ETag").
 */
export function nextVersion(
  before: Job,
  after: Job,
  now: number,
  requester: Requester,
): { job: Job; change: Change } | undefined {
  if (isDeepStrictEqual(before, after)) return undefined;
  const job = { ...after, version: before.version + 1 };
  return { job, change: updateOf(before, job, now, requester) };
}
