export const JSON_TYPE = 'application/json; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json';

/**
 * The type under which an error goes out. application/problem+json has to be asked for by name, and not be liked
 * less than application/json (API decisions, "Errors").
 */
export function errorTypeFor(accept: string | undefined): string {
  if (accept === undefined || !/problem\+json/i.test(accept)) return JSON_TYPE;
  const problem = qualityOf(accept, PROBLEM_TYPE) ?? 0;
  return problem > 0 && problem >= (qualityOf(accept, 'application/json') ?? 0) ? PROBLEM_TYPE : JSON_TYPE;
}

/** The weight that a media type has by name in an Accept header (RFC 9110, section 12.5.1). */
function qualityOf(accept: string, type: string): number | undefined {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((piece) => piece.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    return Number.isNaN(quality) ? 0 : quality;
  }
  return undefined;
}
