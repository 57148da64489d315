/**
 * The body of PUT /jobs as an import sends it. What the source lacks and the API can do without is
 * null, so that a second run clears it. Whatever cannot be read is passed on as it is, for the API
 * to judge in its own words.
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

/** City and province of a job. `unmatched` is the text in which no country or province was found. */
export interface Place {
  readonly city: unknown;
  readonly province: ProvinceReference | null;
  readonly unmatched?: string;
}

/** Something about a posting that its job does not show as it was written. */
export interface Note {
  readonly code: 'entities_decoded' | 'location_unmatched' | 'locations_left_out' | 'type_unmatched';
  readonly detail: string;
}

export interface MappedPosting {
  readonly body: JobBody;
  readonly notes: readonly Note[];
  /** The description was made by the import, because the source has none. */
  readonly synthesised: boolean;
}

/** Why a posting cannot even be sent. */
export interface UnmappablePosting {
  readonly unmappable: { readonly code: 'not_a_posting' | 'no_reference'; readonly detail: string };
}

export interface MappingContext {
  readonly companyId: number;
  /** Today's UTC date. */
  readonly today: string;
  /** Days by which every date is moved. */
  readonly shiftDays: number;
}

export type PostingMapper = (source: unknown, context: MappingContext) => MappedPosting | UnmappablePosting;
