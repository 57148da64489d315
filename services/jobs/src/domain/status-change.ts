import { type JobChanges, status, statusNames, type StatusId } from '@joblisting/contracts';
import { closeDateAt, closeInstant, dateOf, publishInstant } from './dates.ts';
import type { Findings } from './findings.ts';
import { statusAt, type Timeline } from './status.ts';

type Scheduled = Pick<Timeline, 'publishDate' | 'closeDate' | 'statusId'>;
type Dates = Pick<Timeline, 'publishDate' | 'closeDate'>;

/** The status of a new job: what its dates give, whatever was sent (API decisions, "status in a body"). */
export function firstStatus(dates: Dates, body: JobChanges, now: number, findings: Findings): StatusId {
  return derived(statusAt(dates, now), body, findings);
}

/**
 * Dates and status after a change. The dates sent are applied first. Status 2 then closes, whatever they say. Over
 * status 1 they win; without dates, status 1 publishes (API decisions, "Dates and status in one PUT").
 * @param before as it stands at `now`, with its due transitions applied
 */
export function changeStatus(
  before: Scheduled,
  body: JobChanges,
  now: number,
  findings: Findings,
): Scheduled {
  const dates: Dates = {
    publishDate: body.publishDate ?? before.publishDate,
    closeDate: body.closeDate === undefined ? before.closeDate : body.closeDate,
  };
  const sent = body.status?.id;
  if (sent === status.closed) return closed(dates, now, findings);
  const datesSent = body.publishDate !== undefined || body.closeDate !== undefined;
  if (sent === status.published) {
    return datesSent
      ? { ...dates, statusId: derived(statusAt(dates, now), body, findings) }
      : published(before, now, findings);
  }
  const moved = dates.publishDate !== before.publishDate || dates.closeDate !== before.closeDate;
  const keeps = before.statusId === status.draft || !moved;
  const statusId = keeps ? before.statusId : statusAt(dates, now);
  if (sent !== undefined && before.statusId !== status.pending)
    findings.violate('#/status/id', 'not_allowed', 'status.id must be 1 or 2: the job is not Pending.');
  else derived(statusId, body, findings);
  return { ...dates, statusId };
}

function closed(dates: Dates, now: number, { warn }: Findings): Scheduled {
  const statusId = status.closed;
  if (dates.closeDate !== null && closeInstant(dates.closeDate) <= now) return { ...dates, statusId };
  const closeDate = closeDateAt(now);
  warn('#/closeDate', 'close_date_changed', `closeDate was set to ${closeDate} because the job is Closed.`);
  return { ...dates, closeDate, statusId };
}

function published(before: Scheduled, now: number, { warn }: Findings): Scheduled {
  let { publishDate, closeDate } = before;
  if (before.statusId === status.published) return { publishDate, closeDate, statusId: before.statusId };
  if (closeDate !== null && closeInstant(closeDate) <= now) {
    closeDate = null;
    warn('#/closeDate', 'close_date_changed', 'closeDate was cleared because it has passed.');
  }
  if (publishInstant(publishDate) > now) {
    publishDate = dateOf(now);
    warn(
      '#/publishDate',
      'publish_date_changed',
      `publishDate was set to ${publishDate} because it was in the future.`,
    );
  }
  return { publishDate, closeDate, statusId: status.published };
}

function derived(statusId: StatusId, body: JobChanges, { warn }: Findings): StatusId {
  if (body.status !== undefined && body.status.id !== statusId)
    warn('#/status/id', 'status_derived', `The status is ${statusNames[statusId]}, as the dates say.`);
  return statusId;
}
