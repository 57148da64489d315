import { LISTED_AT_MOST, type Warning } from '@joblisting/contracts';
import type { PagingWithLinks } from './paging-links.ts';

const NULL = Buffer.from('null');
const OPEN = Buffer.from('{"data":');
const CLOSE_WITHOUT_WARNINGS = Buffer.from(',"warnings":[]}');

/** Puts the envelope around data that is not parsed; none is null (spec, "General conventions" 4 to 6). */
export function envelope(
  data: Uint8Array,
  warnings: readonly Warning[],
  paging: PagingWithLinks | undefined,
): Buffer {
  const open = paging ? Buffer.from(`{"paging":${JSON.stringify(paging)},"data":`) : OPEN;
  const close =
    warnings.length === 0
      ? CLOSE_WITHOUT_WARNINGS
      : Buffer.from(`,"warnings":${JSON.stringify(warnings.slice(0, LISTED_AT_MOST))}}`);
  return Buffer.concat([open, data.length === 0 ? NULL : data, close]);
}
