import type { Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import { type Shift, sumOf } from '../domain/list-place.ts';
import { listDaysOf, listTotalsOf } from './collections.ts';

/** The shifts of each company by its id. */
export type ShiftsByCompany = ReadonlyMap<number, readonly Shift[]>;

/**
 * Adds shifts to what is counted. The totals of each company are written in any case: of two transactions that
 * count for it, one gives way.
 */
export async function addShifts(
  mongo: Mongo,
  shifts: ShiftsByCompany,
  session: ClientSession,
): Promise<void> {
  const companies = [...shifts].map(([companyId, all]) => [companyId, sumOf(all)] as const);
  await listTotalsOf(mongo).bulkWrite(
    companies.map(([_id, all]) => ({
      updateOne: { filter: { _id }, update: { $inc: { writes: 1, ...byStatus(all) } }, upsert: true },
    })),
    { session, ordered: false },
  );
  const months = companies.flatMap(([companyId, all]) => monthsOf(companyId, all));
  if (months.length === 0) return;
  await listDaysOf(mongo).bulkWrite(
    months.map(([_id, $inc]) => ({ updateOne: { filter: { _id }, update: { $inc }, upsert: true } })),
    { session, ordered: false },
  );
}

function byStatus(shifts: readonly Shift[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { statusId, by } of shifts) {
    const name = `totals.${statusId}`;
    sums[name] = (sums[name] ?? 0) + by;
  }
  return sums;
}

/** The documents of a company in `list_days` that change, each with its increments. */
function monthsOf(companyId: number, shifts: readonly Shift[]): [string, Record<string, number>][] {
  const months = new Map<string, Record<string, number>>();
  for (const { statusId, displayDate, by } of shifts) {
    const dash = displayDate.lastIndexOf('-');
    const id = `${companyId}/${displayDate.slice(0, dash)}`;
    const month = months.get(id) ?? {};
    month[`days.${displayDate.slice(dash + 1)}.${statusId}`] = by;
    months.set(id, month);
  }
  return [...months];
}
