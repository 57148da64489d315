import type { Addresses } from '../addresses.ts';
import type { Page } from './serve.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';

/** What a page says, and where it is. */
export interface Content {
  readonly path: string;
  readonly title: string;
  /** One sentence for search results. */
  readonly summary: string;
  /** HTML that follows the header, with its own `main`. */
  readonly body: string;
}

/** The path at which clients reach a page: the public address may have a prefix. */
export const pathAt =
  ({ origin }: Addresses) =>
  (path: string): string =>
    new URL(origin).pathname.replace(/\/$/, '') + path;

/** Pages below `/docs` that are no guides. */
const isOther: ReadonlySet<string> = new Set(['/docs/reference', '/docs/errors']);

/** Makes a page of this site: the same head, header and style sheet everywhere. */
export function layout(addresses: Addresses, { path, title, summary, body }: Content): Page {
  const at = pathAt(addresses);
  const link = (target: string, text: string): string => {
    const isAbove = target === '/docs' && !isOther.has(path) && path.startsWith('/docs/');
    const current = isAbove ? ' aria-current="true"' : '';
    return `<a href="${at(target)}"${target === path ? ' aria-current="page"' : current}>${text}</a>`;
  };
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(summary)}">
<title>${escapeHtml(title)}${title === SITE ? '' : ` - ${SITE}`}</title>
<link rel="icon" type="image/svg+xml" href="${at('/docs/icon.svg')}">
<link rel="stylesheet" href="${at('/docs/style.css')}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="site" href="${at('/')}">${SITE}</a>
<nav aria-label="Site">
${link('/docs', 'Guides')}
${link('/docs/reference', 'Reference')}
${link('/docs/errors', 'Error codes')}
</nav>
</header>
${body}
</body>
</html>
`;
  return { path, type: HTML_TYPE, content: html, policy: policyOf({}) };
}

export const SITE = 'Job Listing Service';

/** What a page may load: its style sheet and images, and what it adds here. */
export function policyOf(more: Readonly<Record<string, string>>): string {
  const directives = {
    'default-src': "'none'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    ...more,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
