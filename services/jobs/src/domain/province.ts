import type { JobChanges } from '@joblisting/contracts';
import { countryById, provinceById } from '@joblisting/geo';
import type { Findings } from './findings.ts';
import type { Job } from './job.ts';

/**
 * The province that a body names by its id; its country may be sent with it. A country alone means a nation-wide job,
 * whose province id and name are null (spec, "province"; API decisions, "Reference data").
 */
export function resolveProvince(
  sent: NonNullable<JobChanges['province']>,
  { violate }: Findings,
): Job['province'] {
  const countryId = sent.country?.id;
  if (typeof sent.id === 'number') {
    const province = provinceById(sent.id);
    if (!province) violate('#/province/id', 'unknown_id', `There is no province ${sent.id}.`);
    else if (countryId !== undefined && countryId !== province.country.id)
      violate('#/province/country/id', 'mismatch', `The province ${sent.id} is not in country ${countryId}.`);
    return province ?? null;
  }
  if (countryId === undefined) {
    violate('#/province', 'required', 'province needs an id, or the id of a country; or send null.');
    return null;
  }
  const country = countryById(countryId);
  if (!country) violate('#/province/country/id', 'unknown_id', `There is no country ${countryId}.`);
  return country ? { id: null, name: null, country } : null;
}
