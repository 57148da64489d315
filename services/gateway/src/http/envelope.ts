import { LISTED_AT_MOST, type Warning } from '@joblisting/contracts';
import type { PagingWithLinks } from './paging-links.ts';

const SMALL_BYTES = 64 * 1024;

/**
 * Puts the envelope around data that is not parsed; none is null (spec, "General conventions" 4 to 6).
 *
 * What is small is text, which node sends in one piece with the headers. Worth: a tenth of a small answer; and bytes for
 * each list of 50 made the collector go through all of the heap twice a second, a third of what the list cost. Large
 * answers stay bytes: as text they would fill the heap.
 */
export function envelope(
  data: Uint8Array,
  warnings: readonly Warning[],
  paging: PagingWithLinks | undefined,
): string | Buffer {
  const open = paging ? `{"paging":${JSON.stringify(paging)},"data":` : '{"data":';
  const close =
    warnings.length === 0
      ? ',"warnings":[]}'
      : `,"warnings":${JSON.stringify(warnings.slice(0, LISTED_AT_MOST))}}`;
  if (data.length === 0) return `${open}null${close}`;
  return data.length > SMALL_BYTES
    ? Buffer.concat([Buffer.from(open), data, Buffer.from(close)])
    : open + asText(data) + close;
}

const asText = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString();
