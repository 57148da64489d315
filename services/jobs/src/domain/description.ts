import { type JobChanges, ServiceError } from '@joblisting/contracts';
import type { Findings } from './findings.ts';
import { type HtmlVerdict, htmlVerdict } from './html.ts';
import type { JobContent } from './job.ts';

export type HtmlJudge = (html: string) => HtmlVerdict;

type Described = Pick<JobContent, 'description' | 'descriptionFormat'>;

/** The largest description in bytes of UTF-8, once encoded (API decisions, "description"). */
export const DESCRIPTION_MAX_BYTES = 4 * 1024 * 1024;

/** The html that {@link describe} needs a verdict on; undefined without html, or if it has not changed. */
export function htmlToJudge(before: Described, body: JobChanges): string | undefined {
  const after = merge(before, body);
  return after.descriptionFormat === 'html' && !isSame(before, after) ? after.description : undefined;
}

/**
 * The description after a write. html is judged, never repaired; in text `<` and `>` are encoded, so that posting it
 * back gives the same. A new format alone is judged against the stored description. Throws `description_too_large` over
 * {@link DESCRIPTION_MAX_BYTES}.
 */
export function describe(
  before: Described,
  body: JobChanges,
  findings: Findings,
  judge: HtmlJudge = htmlVerdict,
): Described {
  const after = merge(before, body);
  if (isSame(before, after)) return after;
  const { description, descriptionFormat } = after;
  if (descriptionFormat === 'html') {
    const { violations, imbalance } = judge(description);
    findings.violations.push(...violations);
    if (imbalance !== undefined)
      findings.warn(
        '#/description',
        'html_unbalanced',
        `${imbalance}: the description may change how a page around it looks.`,
      );
    refuseLarge(Buffer.byteLength(description));
    return after;
  }
  const brackets = bracketsIn(description);
  refuseLarge(Buffer.byteLength(description) + EXTRA_ENCODED_BYTES * brackets);
  if (brackets > 0)
    findings.warn(
      '#/description',
      'html_encoded',
      'The characters < and > were encoded: the description is text.',
    );
  return { description: encode(description), descriptionFormat };
}

const merge = (before: Described, body: JobChanges): Described => ({
  description: body.description ?? before.description,
  descriptionFormat: body.descriptionFormat ?? before.descriptionFormat,
});

const isSame = (before: Described, after: Described): boolean =>
  after.description === before.description && after.descriptionFormat === before.descriptionFormat;

/** How many bytes `&lt;` has more than `<`. */
const EXTRA_ENCODED_BYTES = 3;

function bracketsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3c || code === 0x3e) count++;
  }
  return count;
}

/** With very many brackets, split and join take half the time of replacing. */
const encode = (text: string): string => text.split('<').join('&lt;').split('>').join('&gt;');

function refuseLarge(bytes: number): void {
  if (bytes <= DESCRIPTION_MAX_BYTES) return;
  const detail = `The description is over ${DESCRIPTION_MAX_BYTES} bytes once encoded.`;
  throw new ServiceError('description_too_large', detail);
}
