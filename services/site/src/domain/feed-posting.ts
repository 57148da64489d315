import { countryCode, provinceByCode, provinceCode, provinces } from '@joblisting/geo';

/** What JSON-LD and feeds tell of an open job. */
export interface FeedPosting {
  readonly _id: number;
  readonly referenceId: string | null;
  readonly companyName: string;
  readonly employer: string;
  readonly title: string;
  readonly displayDate: string;
  readonly closesAt: Date | null;
  readonly city: string | null;
  readonly province: Province | null;
  readonly categories: readonly { readonly name: string }[];
  readonly types: readonly { readonly id: number }[];
  readonly description: string;
  readonly descriptionFormat: 'text' | 'html';
  readonly routingId: number;
  readonly applicationUrl: string | null;
}

/** A whole country if it has no id. */
interface Province {
  readonly id?: number | null | undefined;
  readonly name?: string | null | undefined;
  readonly country: { readonly id: number };
}

/** The public address of the site without a slash at the end. */
export const siteUrlOf = (searchUrl: string): string => searchUrl.replace(/\/+$/, '');

/** The address of a job's page, which is the canonical one. */
export const pageUrl = (siteUrl: string, jobId: number): string => `${siteUrl}/Share/Job${jobId}`;

const TAG = /<[a-z/!?]/iu;

/** The description as HTML with at least one tag: readers take a text without any as plain or as encoded. */
export function descriptionHtml({ description, descriptionFormat }: FeedPosting): string {
  const html = descriptionFormat === 'html' ? description : description.replaceAll(/\r\n?|\n/gu, '<br>');
  return TAG.test(html) ? html : `<p>${html}</p>`;
}

/** The ISO 3166-1 alpha-2 code of the job's country. */
export const countryCodeOf = ({ province }: FeedPosting): string | undefined =>
  province ? countryCode(province.country.id) : undefined;

/** The name of the job's province, or its ISO 3166-2 code if the name alone could mean another one. */
export function regionOf({ province }: FeedPosting): string | undefined {
  if (!province?.id || !province.name) return undefined;
  const { id, name, country } = province;
  const isName = (other: { readonly name: string }) => other.name.toLowerCase() === name.toLowerCase();
  const isAmbiguous =
    provinces(country.id).filter(isName).length > 1 ||
    provinceByCode(`${countryCode(country.id) ?? ''}-${name}`) !== undefined;
  return isAmbiguous ? provinceCode(id) : name;
}

/** The part of the ISO 3166-2 code after the hyphen where people write it as the state; else the name. */
export function stateOf(posting: FeedPosting): string | undefined {
  const code = provinceCode(posting.province?.id ?? 0);
  return code !== undefined && /^(?:US|CA|AU)-/.test(code) ? code.slice(3) : regionOf(posting);
}
