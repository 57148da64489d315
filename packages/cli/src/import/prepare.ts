import type { EmployerMap } from '../input/employer-map.ts';
import type { SourceRecord } from '../input/records.ts';
import { mapJobPosting } from '../postings/job-posting.ts';
import { isObject } from '../values.ts';
import { mapListing } from '../postings/listing.ts';
import type { MappedPosting, MappingContext, PostingMapper } from '../postings/mapping.ts';
import { repairHtml } from '../repair/repair.ts';
import type { Refusal } from './refusal.ts';

export type Format = 'jobposting' | 'listings';

export interface PrepareOptions {
  readonly mapping: MappingContext;
  /** Undefined: detected from each posting. */
  readonly format: Format | undefined;
  readonly employers: EmployerMap;
  readonly repair: boolean;
}

/** A posting to send. `changes` counts the repairs. */
export interface PreparedPosting extends MappedPosting {
  readonly changes: ReadonlyMap<string, number>;
}

/** The code of a posting whose reference an earlier one has. */
export const DUPLICATE = 'duplicate_reference';

const MAPPERS: Readonly<Record<Format, PostingMapper>> = {
  jobposting: mapJobPosting,
  listings: mapListing,
};

function formatOf(value: unknown): Format {
  return isObject(value) && 'company_name' in value ? 'listings' : 'jobposting';
}

/**
 * Returns a function that maps and, if requested, repairs one record after the other. It refuses postings that cannot be
 * sent or would overwrite an earlier posting of the same file.
 */
export function preparer(
  options: PrepareOptions,
): (record: SourceRecord) => PreparedPosting | { refusal: Refusal } {
  const lineOf = new Map<string, number>();
  return (record) => {
    if ('malformed' in record) return refuse('malformed_line', record.malformed);
    const map = MAPPERS[options.format ?? formatOf(record.value)];
    const mapped = map(record.value, options.mapping);
    if ('unmappable' in mapped) return refuse(mapped.unmappable.code, mapped.unmappable.detail);
    const { referenceId } = mapped.body;
    const earlier = lineOf.get(referenceId);
    if (earlier !== undefined)
      return refuse(DUPLICATE, `Line ${earlier} has the same reference ${referenceId}.`);
    lineOf.set(referenceId, record.line);
    const renamed = withEmployer(mapped, options.employers);
    return options.repair ? repair(renamed) : { ...renamed, changes: new Map() };
  };
}

function withEmployer(mapped: MappedPosting, employers: EmployerMap): MappedPosting {
  const employer = employers.get(mapped.body.employer);
  return employer === undefined ? mapped : { ...mapped, body: { ...mapped.body, employer } };
}

function refuse(code: string, detail: string): { refusal: Refusal } {
  return { refusal: { code, detail, errors: [] } };
}

function repair(mapped: MappedPosting): PreparedPosting {
  if (typeof mapped.body.description !== 'string') return { ...mapped, changes: new Map() };
  const { html, changes } = repairHtml(mapped.body.description);
  return { ...mapped, body: { ...mapped.body, description: html }, changes };
}
