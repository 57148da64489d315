import type { Addresses } from '../addresses.ts';
import type { Guide } from './guides.ts';
import { layout, pathAt, SITE } from './layout.ts';
import type { Page } from './serve.ts';

/** GET /: what this is, and where to go from here. */
export function homePage(guides: readonly Guide[], addresses: Addresses, searchUrl: string): Page {
  const at = pathAt(addresses);
  const quickstart = guides[0];
  const links = [
    ...(searchUrl === '' ? [] : [[searchUrl, 'Job search', 'The public site that shows the jobs.']]),
    [at('/docs'), 'Guides', 'What to do first, and how each part works.'],
    [at('/docs/reference'), 'Reference', 'Every operation, with a form to try it.'],
    [at('/docs/errors'), 'Error codes', 'What each code means and what to do about it.'],
    [at('/openapi.json'), 'OpenAPI', 'The description of the API for programs.'],
    [at('/healthz'), 'Health', 'Whether the service is alive.'],
  ];
  const summary =
    'An HTTP and JSON API with which companies manage their job postings, take applications and count views.';
  const body = `<main id="content">
<h1>${SITE}</h1>
<p class="lead">${summary}</p>
<p>The API is at <code>${addresses.of('')}</code> and needs keys. Begin with the <a href="${at(quickstart?.path ?? '')}">${quickstart?.title}</a>.</p>
${listOf(links)}
</main>`;
  return layout(addresses, { path: '/', title: SITE, summary, body });
}

/** GET /docs: the guides. */
export function indexPage(guides: readonly Guide[], addresses: Addresses): Page {
  const at = pathAt(addresses);
  const summary = 'How to use the Job Listing Service, from the first request on.';
  const body = `<main id="content">
<h1>Guides</h1>
<p class="lead">${summary} Each guide has its examples in curl, TypeScript and Python.</p>
${listOf(guides.map(({ path, title, summary }) => [at(path), title, summary]))}
<h2>Look things up</h2>
${listOf([
  [at('/docs/reference'), 'Reference', 'Every operation, with a form to try it.'],
  [at('/docs/errors'), 'Error codes', 'What each code means and what to do about it.'],
  [at('/asyncapi.json'), 'AsyncAPI', 'The message bus between the services, for teams that deploy one.'],
  [at('/llms.txt'), 'For language models', 'The guides as Markdown, listed in one file.'],
])}
</main>`;
  return layout(addresses, { path: '/docs', title: 'Guides', summary, body });
}

const listOf = (links: readonly (readonly string[])[]): string =>
  `<ul class="cards">
${links.map(([href, title, text]) => `<li><a href="${href}">${title}</a><p>${text}</p></li>`).join('\n')}
</ul>`;
