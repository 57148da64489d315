import { escapeText } from 'entities';
import { shiftDate, unixDate } from './calendar.ts';
import { isObject, listOf, oneLine, visibleText } from '../values.ts';
import type { MappedPosting, MappingContext, Place, UnmappablePosting } from './mapping.ts';
import { placeOfText } from './place-text.ts';
import { referenceId } from './reference-id.ts';

type Listing = Readonly<Record<string, unknown>>;

/**
 * Maps an element of a listings file (`company_name`, `title`, `locations`, `date_posted`, `url`, `active`) to the body of
 * PUT /jobs. The job gets the first location. Listings have no description, so it consists of title, company and all
 * locations.
 */
export function mapListing(source: unknown, context: MappingContext): MappedPosting | UnmappablePosting {
  if (!isObject(source) || !('company_name' in source) || !('title' in source))
    return { unmappable: { code: 'not_a_posting', detail: 'Not a listing: no company_name or title.' } };
  const reference = referenceId([source['id'], source['url']]);
  if (reference === undefined)
    return { unmappable: { code: 'no_reference', detail: 'It has no id or url.' } };
  const locations = listOf(source['locations']).flatMap((location) => visibleText(location) ?? []);
  const place: Place =
    locations[0] === undefined ? { city: null, province: null } : placeOfText(locations[0]);
  return {
    body: {
      referenceId: reference,
      company: { id: context.companyId },
      employer: oneLine(source['company_name']),
      title: oneLine(source['title']),
      publishDate: shiftDate(unixDate(source['date_posted']), context.shiftDays),
      closeDate: closeDate(source, context),
      city: place.city,
      province: place.province,
      types: [],
      description: describeListing(source, locations),
      descriptionFormat: 'html',
      applicantRoutingType: { id: 2 },
      applicationUrl: source['url'] ?? null,
    },
    notes: place.unmatched === undefined ? [] : [{ code: 'location_unmatched', detail: place.unmatched }],
    synthesised: true,
  };
}

/**
 * An inactive listing closed on the day of its last update, yesterday at the latest, so that the job is Closed at every
 * hour of today (spec, "States and transitions").
 */
function closeDate(listing: Listing, { shiftDays, today }: MappingContext): unknown {
  if (listing['active'] !== false) return null;
  const updated = shiftDate(unixDate(listing['date_updated'] ?? listing['date_posted']), shiftDays);
  const yesterday = shiftDate(today, -1);
  return typeof updated === 'string' && typeof yesterday === 'string' && updated < yesterday
    ? updated
    : yesterday;
}

function describeListing(listing: Listing, locations: readonly string[]): string {
  const company = visibleText(listing['company_name']);
  const heading = [visibleText(listing['title']), company].filter((part) => part !== undefined).join(', ');
  const places = locations.length === 0 ? '' : `<p>Locations: ${escapeText(locations.join('; '))}</p>`;
  return `<p>${escapeText(heading)}</p>${places}`;
}
