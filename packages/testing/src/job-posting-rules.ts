/**
 * What Google requires and recommends of a JobPosting
 * (https://developers.google.com/search/docs/appearance/structured-data/job-posting), as far as one posting can show it.
 */
export interface Finding {
  readonly rule: string;
  readonly level: 'required' | 'recommended';
  readonly found: unknown;
}

interface Rule {
  readonly name: string;
  readonly level: Finding['level'];
  readonly read: (posting: Json) => unknown;
  readonly isMet: (value: unknown, posting: Json) => boolean;
}

type Json = Readonly<Record<string, unknown>>;

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2}))?$/;
const EMPLOYMENT_TYPES = new Set(
  'FULL_TIME PART_TIME CONTRACTOR TEMPORARY INTERN VOLUNTEER PER_DIEM OTHER'.split(' '),
);

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isDate = (value: unknown): boolean =>
  isText(value) && DATE.test(value) && !Number.isNaN(Date.parse(value));
const isWebUrl = (value: unknown): boolean => isText(value) && /^https?:\/\/\S+$/.test(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const rules: readonly Rule[] = [
  {
    name: '@context is schema.org and @type is JobPosting (General structured data guidelines)',
    level: 'required',
    read: (posting) => [posting['@context'], posting['@type']],
    isMet: (value) => /^https?:\/\/schema\.org\/?,JobPosting$/.test(list(value).join()),
  },
  {
    name: 'title: the title of the job, not of the posting; without markup (Required properties)',
    level: 'required',
    read: ({ title }) => title,
    isMet: (value) => isText(value) && !/<(?:\/?[a-z]|!)/i.test(value),
  },
  {
    name: 'title: does not overuse special characters such as ! and * (Required properties)',
    level: 'recommended',
    read: ({ title }) => title,
    isMet: (value) => (String(value).match(/[!*]/g) ?? []).length < 3,
  },
  {
    name: 'description: complete, in HTML, with paragraph breaks (Required properties)',
    level: 'required',
    read: ({ description }) => description,
    isMet: (value) => isText(value) && /<(?:p|br|ul|ol|li|div|b|strong|em|i|a)\b|\n/i.test(value),
  },
  {
    name: 'description: is not the title (Required properties)',
    level: 'required',
    read: ({ description }) => description,
    isMet: (value, { title }) => String(value).replaceAll(/<[^>]*>/g, '') !== title,
  },
  {
    name: 'datePosted: ISO 8601 (Required properties)',
    level: 'required',
    read: ({ datePosted }) => datePosted,
    isMet: isDate,
  },
  {
    name: 'hiringOrganization: an Organization with its name (Required properties)',
    level: 'required',
    read: ({ hiringOrganization }) => hiringOrganization,
    isMet: (value) => at(value, '@type') === 'Organization' && isText(at(value, 'name')),
  },
  {
    name: 'jobLocation: a Place with a PostalAddress and its addressCountry (Required properties)',
    level: 'required',
    read: ({ jobLocation }) => jobLocation,
    isMet: (value) =>
      at(value, '@type') === 'Place' &&
      at(value, 'address', '@type') === 'PostalAddress' &&
      isText(at(value, 'address', 'addressCountry')),
  },
  {
    name: 'jobLocation: as many properties of the address as possible (Required properties)',
    level: 'recommended',
    read: ({ jobLocation }) => at(jobLocation, 'address'),
    isMet: (value) => isText(at(value, 'addressLocality')) && isText(at(value, 'addressRegion')),
  },
  {
    name: 'jobLocationType: TELECOMMUTE alone, with applicantLocationRequirements (Recommended properties)',
    level: 'required',
    read: (posting) => [posting['jobLocationType'], posting['applicantLocationRequirements']],
    isMet: (value) => {
      const [type, where] = value as unknown[];
      return type === undefined ? where === undefined : type === 'TELECOMMUTE' && where !== undefined;
    },
  },
  {
    name: 'validThrough: ISO 8601, or absent where the posting never expires (Recommended properties)',
    level: 'required',
    read: ({ validThrough }) => validThrough,
    isMet: (value) => value === undefined || (isText(value) && isDate(value) && value.includes('T')),
  },
  {
    name: 'employmentType: one or more of the listed values (Recommended properties)',
    level: 'required',
    read: ({ employmentType }) => employmentType,
    isMet: (value) => value === undefined || list(value).every((type) => EMPLOYMENT_TYPES.has(String(type))),
  },
  {
    name: 'employmentType: present (Recommended properties)',
    level: 'recommended',
    read: ({ employmentType }) => employmentType,
    isMet: (value) => value !== undefined,
  },
  {
    name: 'identifier: a PropertyValue with name and value (Recommended properties)',
    level: 'recommended',
    read: ({ identifier }) => identifier,
    isMet: (value) =>
      at(value, '@type') === 'PropertyValue' && isText(at(value, 'name')) && isText(at(value, 'value')),
  },
  {
    name: 'directApply: a boolean (Recommended properties)',
    level: 'recommended',
    read: ({ directApply }) => directApply,
    isMet: (value) => typeof value === 'boolean',
  },
  {
    name: 'baseSalary: present (Recommended properties)',
    level: 'recommended',
    read: ({ baseSalary }) => baseSalary,
    isMet: (value) => value !== undefined,
  },
  {
    name: 'url and mainEntityOfPage: absolute addresses (schema.org)',
    level: 'required',
    read: ({ url, mainEntityOfPage }) => [url, mainEntityOfPage],
    isMet: (value) => list(value).every(isWebUrl),
  },
];

/** The rules that a JobPosting does not meet. */
export const findingsOf = (posting: Json): Finding[] =>
  rules.flatMap(({ name, level, read, isMet }) => {
    const found = read(posting);
    return isMet(found, posting) ? [] : [{ rule: name, level, found }];
  });

/** The JSON-LD of a page; undefined without one. Throws if it has more than one or it is no JSON. */
export function jsonLdOf(html: string): Json | undefined {
  const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  if (scripts.length > 1) throw new Error(`The page has ${scripts.length} JSON-LD scripts.`);
  return scripts[0] && (JSON.parse(scripts[0][1]!) as Json);
}
