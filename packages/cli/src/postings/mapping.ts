/**
 * The body of PUT /jobs. An optional value that the source lacks is null, so that a second run clears it. Invalid values
 * go to the API unchanged, which reports them.
 */
export interface JobBody {
  readonly referenceId: string;
  readonly company: { readonly id: number };
  readonly employer: unknown;
  readonly title: unknown;
  readonly publishDate: unknown;
  readonly closeDate: unknown;
  readonly city: unknown;
  readonly province: ProvinceReference | null;
  readonly types: readonly { readonly id: number }[];
  readonly description: unknown;
  readonly descriptionFormat: 'html';
  readonly applicantRoutingType: { readonly id: 2 };
  readonly applicationUrl: unknown;
}

/** A province by its id, or a whole country. */
export type ProvinceReference = { readonly id: number } | { readonly country: { readonly id: number } };

/** City and province of a job. `unmatched` is the text without a known country or province. */
export interface Place {
  readonly city: unknown;
  readonly province: ProvinceReference | null;
  readonly unmatched?: string;
}

/** A difference between a posting and its job. */
export interface Note {
  readonly code: 'entities_decoded' | 'location_unmatched' | 'locations_left_out' | 'type_unmatched';
  readonly detail: string;
}

export interface MappedPosting {
  readonly body: JobBody;
  readonly notes: readonly Note[];
  /** The source has no description, so the import made one. */
  readonly synthesised: boolean;
}

/** Why a posting cannot be sent. */
export interface UnmappablePosting {
  readonly unmappable: { readonly code: 'not_a_posting' | 'no_reference'; readonly detail: string };
}

export interface MappingContext {
  readonly companyId: number;
  /** Today's UTC date. */
  readonly today: string;
  /** Number of days to move every date. */
  readonly shiftDays: number;
}

export type PostingMapper = (source: unknown, context: MappingContext) => MappedPosting | UnmappablePosting;
