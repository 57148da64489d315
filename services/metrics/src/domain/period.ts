import { type getJobMetrics, type ParamsOf, SERIES_DAYS_MAX, ServiceError } from '@joblisting/contracts';
import { utcDay } from './day-counts.ts';

/** First and last day (`YYYY-MM-DD`, UTC) of a series. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 24 * 3600_000;
const DEFAULT_DAYS = 30;
/** The first calendar date of the API. */
const FIRST_DAY = '1970-01-01';

/** The days that were requested, by default the last 30. Throws `invalid_parameter` if they are reversed or too many. */
export function periodOf(params: Pick<ParamsOf<typeof getJobMetrics>, 'from' | 'to'>, now: number): Period {
  const to = params.to ?? utcDay(now);
  const from = params.from ?? firstDefaultDay(to);
  if (from > to) throw refusal('mismatch', `from must not be after to, which is ${to}.`);
  if (Date.parse(to) - Date.parse(from) >= SERIES_DAYS_MAX * DAY_MS) {
    throw refusal(
      'out_of_range',
      `from must be at most ${SERIES_DAYS_MAX - 1} days before to, which is ${to}.`,
    );
  }
  return { from, to };
}

function firstDefaultDay(to: string): string {
  const day = utcDay(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  return day < FIRST_DAY ? FIRST_DAY : day;
}

const refusal = (code: 'mismatch' | 'out_of_range', detail: string): ServiceError =>
  new ServiceError('invalid_parameter', undefined, { errors: [{ parameter: 'from', code, detail }] });
