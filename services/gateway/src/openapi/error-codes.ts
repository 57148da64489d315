import type { ErrorCode } from '@joblisting/contracts';
import { statusOf } from '../errors/statuses.ts';
import { parametersOf, type Row, takesIdempotencyKey, takesIfMatch } from '../routes/row.ts';

/** What every request can meet. */
const always: readonly ErrorCode[] = [
  'bad_request',
  'internal',
  'unavailable',
  'overloaded',
  'deadline_exceeded',
];

/** Every code that the row's operation can answer with, by status in rising order. */
export function errorCodesOf(row: Row): ReadonlyMap<number, readonly ErrorCode[]> {
  const { operation, access, method } = row;
  const codes = new Set<ErrorCode>(operation.errors);
  if (parametersOf(row).length > 0) codes.add('invalid_parameter');
  if (method === 'POST') codes.add('method_override');
  if (takesIfMatch(row)) codes.add('invalid_header');
  if (takesIdempotencyKey(row)) {
    codes.add('invalid_header').add('idempotency_key_in_flight').add('idempotency_key_reused');
  }
  if (access.keys !== 'none') codes.add('unauthenticated').add('scope_missing').add('rate_limited');
  if (operation.body) {
    codes.add('malformed_json').add('body_too_large').add('validation_failed').add('unsupported_media_type');
  }
  for (const code of always) codes.add(code);
  const sorted = [...codes].toSorted((a, b) => statusOf(a) - statusOf(b));
  return Map.groupBy(sorted, statusOf);
}
