import type { Job as JobReply, RoutingId, StatusId } from '@joblisting/contracts';

/** What a consumer writes, resolved and checked. Dates are `YYYY-MM-DD`. */
export interface JobContent {
  readonly referenceId: string | null;
  readonly employer: string | null;
  readonly title: string;
  readonly publishDate: string;
  readonly closeDate: string | null;
  readonly city: string | null;
  readonly province: JobReply['province'];
  readonly typeIds: readonly number[];
  readonly description: string;
  readonly descriptionFormat: 'text' | 'html';
  readonly routingId: RoutingId;
  readonly applicationEmails: readonly string[];
  readonly applicationUrl: string | null;
}

/** A category of a job. `version` dates the name, so that a delayed rename cannot restore an older one. */
export interface HeldCategory {
  readonly id: number;
  readonly name: string;
  readonly version: number;
}

export interface Company {
  readonly id: number;
  readonly name: string;
}

/** The public address of a job. `linkPending`: only the fallback so far, to be shortened later. */
export interface Link {
  readonly url: string;
  readonly linkPending: boolean;
}

/** A job. `version` rises with every change but those of the counts (API decisions, "ETag"). */
export interface Job extends JobContent, Link {
  readonly id: number;
  readonly company: Company;
  readonly categories: readonly HeldCategory[];
  readonly statusId: StatusId;
  readonly version: number;
  readonly viewCount: number;
  readonly applicationCount: number;
  readonly clickThroughCount: number;
}

/** What the list shows of a job. */
export interface ListedJob extends Pick<
  Job,
  | 'id'
  | 'referenceId'
  | 'company'
  | 'employer'
  | 'title'
  | 'city'
  | 'province'
  | 'statusId'
  | 'viewCount'
  | 'applicationCount'
  | 'clickThroughCount'
> {
  readonly displayDate: string;
}
