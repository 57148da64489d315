import type { Refusal } from '../api/refusal.ts';
import type { SourceRecord } from '../input/records.ts';
import { mapJobPosting } from '../postings/job-posting.ts';
import { isObject } from '../postings/json.ts';
import { mapListing } from '../postings/listing.ts';
import type { MappedPosting, MappingContext, PostingMapper } from '../postings/mapping.ts';
import { repairHtml } from '../repair/repair.ts';

export type Format = 'jobposting' | 'listings';

export interface PrepareOptions {
  readonly mapping: MappingContext;
  /** Undefined: each posting tells by its own shape. */
  readonly format: Format | undefined;
  readonly repair: boolean;
}

/** A posting ready to be sent. `changes` are those of its repair, none without one. */
export interface Prepared extends MappedPosting {
  readonly changes: ReadonlyMap<string, number>;
}

const MAPPERS: Readonly<Record<Format, PostingMapper>> = {
  jobposting: mapJobPosting,
  listings: mapListing,
};

function formatOf(value: unknown): Format {
  return isObject(value) && 'company_name' in value ? 'listings' : 'jobposting';
}

/**
 * The step before sending: maps one record after the other, repairs it where that is asked for, and refuses
 * what cannot be sent, or would overwrite an earlier posting of the same file.
 */
export function preparer(options: PrepareOptions): (record: SourceRecord) => Prepared | { refusal: Refusal } {
  const lineOf = new Map<string, number>();
  return (record) => {
    if ('malformed' in record) return refused('malformed_line', record.malformed);
    const map = MAPPERS[options.format ?? formatOf(record.value)];
    const mapped = map(record.value, options.mapping);
    if ('unmappable' in mapped) return refused(mapped.unmappable.code, mapped.unmappable.detail);
    const { referenceId } = mapped.body;
    const earlier = lineOf.get(referenceId);
    if (earlier !== undefined)
      return refused('duplicate_reference', `${referenceId} is that of line ${earlier} as well.`);
    lineOf.set(referenceId, record.line);
    return options.repair ? repaired(mapped) : { ...mapped, changes: new Map() };
  };
}

function refused(code: string, detail: string): { refusal: Refusal } {
  return { refusal: { code, detail, errors: [] } };
}

function repaired(mapped: MappedPosting): Prepared {
  if (typeof mapped.body.description !== 'string') return { ...mapped, changes: new Map() };
  const { html, changes } = repairHtml(mapped.body.description);
  return { ...mapped, body: { ...mapped.body, description: html }, changes };
}
