import { LISTED_AT_MOST, type Warning } from '@joblisting/contracts';
import type { PagingWithLinks } from './paging-links.ts';

const SMALL_BYTES = 64 * 1024;
const OPEN = '{"data":';
const CLOSE = ',"warnings":[]}';

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
  const open = paging ? `{"paging":${JSON.stringify(paging)},"data":` : OPEN;
  const close = closeOf(warnings);
  if (data.length === 0) return `${open}null${close}`;
  return data.length > SMALL_BYTES
    ? Buffer.concat([Buffer.from(open), data, Buffer.from(close)])
    : open + asText(data, 'utf8') + close;
}

/**
 * The same for data alone, in characters that are a byte each, to be written as `latin1`: nothing is decoded or encoded
 * again, nor is its length looked for. Only for whoever writes to the connection himself: the framework would encode
 * it as UTF-8.
 */
export function envelopeInBytes(data: Uint8Array, warnings: readonly Warning[]): string | Buffer {
  if (data.length === 0 || data.length > SMALL_BYTES) return Buffer.from(envelope(data, warnings, undefined));
  return OPEN + asText(data, 'latin1') + Buffer.from(closeOf(warnings)).toString('latin1');
}

function closeOf(warnings: readonly Warning[]): string {
  if (warnings.length === 0) return CLOSE;
  return `,"warnings":${JSON.stringify(warnings.slice(0, LISTED_AT_MOST))}}`;
}

const asText = ({ buffer, byteOffset, byteLength }: Uint8Array, encoding: 'utf8' | 'latin1'): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString(encoding);
