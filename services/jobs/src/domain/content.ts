import { type JobChanges, routing, type Violation } from '@joblisting/contracts';
import { describe, type HtmlJudge } from './description.ts';
import type { Findings } from './findings.ts';
import type { JobContent } from './job.ts';
import { resolveTypes } from './job-types.ts';
import { resolveProvince } from './province.ts';
import { route } from './routing.ts';

/** The body of a new job is merged into this: absent properties are null (API decisions, "null and empty"). */
export const blankContent: JobContent = {
  referenceId: null,
  employer: null,
  title: '',
  publishDate: '',
  closeDate: null,
  city: null,
  province: null,
  typeIds: [],
  description: '',
  descriptionFormat: 'text',
  routingId: routing.default,
  applicationEmails: [],
  applicationUrl: null,
};

/** The properties of a body that violate the schema or are missing. The rules of the domain skip them. */
export const brokenProperties = (violations: readonly Violation[]): ReadonlySet<string> =>
  new Set(violations.map(({ pointer }) => pointer?.split('/', 2)[1] ?? ''));

/** The body without its broken properties. */
export const withoutBroken = (body: JobChanges, broken: ReadonlySet<string>): JobChanges =>
  broken.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([name]) => !broken.has(name)));

/**
 * The content after a write, dates as they were: only the properties sent change (spec, "PUT", 2). Every broken
 * rule is reported. Properties in `broken` are not in the body any more and silence the rules that need them.
 */
export function mergeContent(
  before: JobContent,
  body: JobChanges,
  broken: ReadonlySet<string>,
  findings: Findings,
  judge?: HtmlJudge,
): JobContent {
  const described = broken.has('description') || broken.has('descriptionFormat');
  const routed = broken.has('applicantRoutingType');
  const { province, types } = body;
  return {
    // A property that has no line below cannot be changed, and no type check says so.
    ...before,
    referenceId: body.referenceId === undefined ? before.referenceId : body.referenceId,
    employer: body.employer === undefined ? before.employer : body.employer,
    title: body.title ?? before.title,
    city: body.city === undefined ? before.city : body.city,
    province: province ? resolveProvince(province, findings) : province === null ? null : before.province,
    typeIds: types ? resolveTypes(types, findings) : types === null ? [] : before.typeIds,
    ...(!described && describe(before, body, findings, judge)),
    ...(!routed && route(before, body, broken.has('applicationUrl'), findings)),
  };
}
