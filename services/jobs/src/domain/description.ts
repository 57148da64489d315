import { type JobChanges, ServiceError } from '@joblisting/contracts';
import type { Findings } from './findings.ts';
import { htmlViolations } from './html.ts';
import type { JobContent } from './job.ts';

type Described = Pick<JobContent, 'description' | 'descriptionFormat'>;

/** The largest description in bytes of UTF-8, once encoded (API decisions, "description"). */
export const DESCRIPTION_MAX_BYTES = 4 * 1024 * 1024;

/**
 * The description after a write. html is judged, never repaired; in text `<` and `>` are encoded, so that posting
 * it back gives the same. A new format alone is judged against the description that is there.
 * Throws `description_too_large` over {@link DESCRIPTION_MAX_BYTES}.
 */
export function describe(before: Described, body: JobChanges, findings: Findings): Described {
  const description = body.description ?? before.description;
  const descriptionFormat = body.descriptionFormat ?? before.descriptionFormat;
  if (description === before.description && descriptionFormat === before.descriptionFormat)
    return { description, descriptionFormat };
  if (descriptionFormat === 'html') {
    findings.violations.push(...htmlViolations(description));
    return { description: refuseLarge(description), descriptionFormat };
  }
  const encoded = description.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (encoded !== description)
    findings.warn(
      '#/description',
      'html_encoded',
      'The characters < and > were encoded: the description is text.',
    );
  return { description: refuseLarge(encoded), descriptionFormat };
}

function refuseLarge(description: string): string {
  if (Buffer.byteLength(description) <= DESCRIPTION_MAX_BYTES) return description;
  const detail = `The description is over ${DESCRIPTION_MAX_BYTES} bytes once encoded.`;
  throw new ServiceError('description_too_large', detail);
}
