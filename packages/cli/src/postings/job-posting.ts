import { shiftDate, writtenDate } from './calendar.ts';
import { jobTypes } from './employment-types.ts';
import { decodeHtml, decodeText, isObject, listOf, oneLine, property } from '../values.ts';
import type { MappedPosting, MappingContext, Note, Place, UnmappablePosting } from './mapping.ts';
import { placeOf } from './place.ts';
import { identifierValues, referenceId } from './reference-id.ts';

/**
 * Maps a schema.org JobPosting (https://schema.org/JobPosting) to the body of PUT /jobs. Decodes entities once, folds
 * line breaks in title and employer, and cuts nothing. Applicants go to the posting's own `url`.
 */
export function mapJobPosting(source: unknown, context: MappingContext): MappedPosting | UnmappablePosting {
  if (!isObject(source) || !isJobPosting(source['@type']))
    return unmappable('not_a_posting', 'Not a schema.org JobPosting.');
  const reference = referenceId([
    ...identifierValues(source['identifier']),
    source['@id'],
    source['id'],
    source['url'],
  ]);
  if (reference === undefined) return unmappable('no_reference', 'It has no identifier, id or url.');
  const locations = locationsOf(source);
  const place: Place = locations.length === 0 ? { city: null, province: null } : placeOf(locations[0]);
  const { types, unmatched } = jobTypes(source['employmentType']);
  const [organization] = listOf(source['hiringOrganization']);
  const employer = property(organization, 'name') ?? organization;
  const shifted = (date: unknown) => shiftDate(writtenDate(date), context.shiftDays);
  return {
    body: {
      referenceId: reference,
      company: { id: context.companyId },
      employer: oneLine(decodeText(employer)) ?? null,
      title: oneLine(decodeText(source['title'])),
      publishDate: shifted(source['datePosted']),
      closeDate: shifted(source['validThrough']) ?? null,
      city: place.city,
      province: place.province,
      types,
      description: decodeHtml(source['description']),
      descriptionFormat: 'html',
      applicantRoutingType: { id: 2 },
      applicationUrl: source['url'] ?? null,
    },
    notes: [
      ...decodedNotes({ title: source['title'], employer, city: locality(locations[0]) }),
      ...placeNotes(place, locations.length),
      ...unmatched.map((type): Note => ({ code: 'type_unmatched', detail: `employmentType ${type}` })),
    ],
    synthesised: false,
  };
}

function isJobPosting(type: unknown): boolean {
  return listOf(type).some(
    (name) => typeof name === 'string' && /^(https?:\/\/schema\.org\/)?JobPosting$/.test(name),
  );
}

function unmappable(code: 'not_a_posting' | 'no_reference', detail: string): UnmappablePosting {
  return { unmappable: { code, detail } };
}

/** The job's locations; for remote jobs, where applicants may live. */
function locationsOf(source: Readonly<Record<string, unknown>>): readonly unknown[] {
  const locations = listOf(source['jobLocation']);
  return locations.length > 0 ? locations : listOf(source['applicantLocationRequirements']);
}

function locality(location: unknown): unknown {
  return property(listOf(property(location, 'address'))[0], 'addressLocality');
}

function decodedNotes(texts: Readonly<Record<string, unknown>>): Note[] {
  return Object.entries(texts)
    .filter(([, text]) => decodeText(text) !== text)
    .map(([field, text]) => ({ code: 'entities_decoded', detail: `${field} ${String(text)}` }));
}

function placeNotes(place: Place, locations: number): Note[] {
  const notes: Note[] = [];
  if (place.unmatched !== undefined) notes.push({ code: 'location_unmatched', detail: place.unmatched });
  if (locations > 1) notes.push({ code: 'locations_left_out', detail: `${locations - 1} after the first` });
  return notes;
}
