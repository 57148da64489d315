import type { Addresses } from '../addresses.ts';
import { readGuides } from './files.ts';
import { layout, pathAt } from './layout.ts';
import { languages, renderMarkdown } from './markdown.ts';
import type { Page } from './serve.ts';

/** The guides in the order in which they are read. The pages, /llms.txt and the list beside each guide follow it. */
export const guideNames = [
  'quickstart',
  'sync',
  'changes',
  'webhooks',
  'retries',
  'dates',
  'applications',
  'metrics',
  'versions',
];

export interface Guide {
  readonly path: string;
  readonly title: string;
  /** Its first paragraph. */
  readonly summary: string;
  /** Markdown, with the configured addresses. */
  readonly text: string;
}

/** Reads the guides. Each begins with its title and a paragraph that says what it is for. */
export async function loadGuides({ origin }: Addresses): Promise<Guide[]> {
  const texts = await readGuides();
  return guideNames.map((name) => {
    const text = (texts.get(name) ?? '').replaceAll('{{origin}}', origin);
    const [, title, summary] = /^# (.+)\n\n(.+)\n/.exec(text) ?? [];
    if (title === undefined || summary === undefined) throw new Error(`The guide ${name} has no title.`);
    return { path: `/docs/${name}`, title, summary, text };
  });
}

/** Each guide as HTML and as Markdown, and the list of them for programs that read (llmstxt.org). */
export function guidePages(guides: readonly Guide[], addresses: Addresses): Page[] {
  const markdown = guides.map(({ path, text }): Page => ({
    path: `${path}.md`,
    type: 'text/markdown; charset=utf-8',
    content: text.replaceAll('](/', `](${addresses.origin}/`),
  }));
  return [
    ...guides.map((guide) => guidePage(guide, guides, addresses)),
    ...markdown,
    { path: '/llms.txt', type: 'text/plain; charset=utf-8', content: llmsText(guides, addresses) },
  ];
}

function guidePage(guide: Guide, guides: readonly Guide[], addresses: Addresses): Page {
  const at = pathAt(addresses);
  const next = guides[guides.indexOf(guide) + 1];
  const others = guides.map(
    (each) =>
      `<li><a href="${at(each.path)}"${each === guide ? ' aria-current="page"' : ''}>${each.title}</a></li>`,
  );
  const { html, sections } = renderMarkdown(guide.text, at);
  const contents = sections.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`);
  const onward = next ? `<a href="${at(next.path)}">Next: ${next.title}</a>` : '';
  const body = `<div class="guide">
<div class="contents">
<nav aria-label="Guides"><p>Guides</p><ul>
${others.join('\n')}
</ul></nav>
<nav aria-label="On this page"><p>On this page</p><ul>
${contents.join('\n')}
</ul></nav>
</div>
<main id="content">
${languageChoice}
${html}
<p class="onward">${onward} <a href="${at(guide.path)}.md">This page as Markdown</a></p>
</main>
</div>`;
  return layout(addresses, { ...guide, body });
}

/** The style sheet shows the examples of the chosen language only. */
const languageChoice = `<fieldset class="languages">
<legend>Examples</legend>
${Object.entries(languages)
  .map(
    ([id, name], index) =>
      `<label><input type="radio" name="language" id="choose-${id}"${index === 0 ? ' checked' : ''}> ${name}</label>`,
  )
  .join('\n')}
</fieldset>`;

function llmsText(guides: readonly Guide[], { origin }: Addresses): string {
  const links = guides.map(({ path, title, summary }) => `- [${title}](${origin}${path}.md): ${summary}`);
  return `# Job Listing Service

> An HTTP and JSON API with which companies manage their job postings, take applications and count views.

## Guides

${links.join('\n')}

## Reference

- [OpenAPI description](${origin}/openapi.json): every operation with its parameters, bodies, answers and errors.
- [AsyncAPI description](${origin}/asyncapi.json): the messages between the services, for teams that deploy one of their own.
- [Error codes](${origin}/docs/errors): what each code means and what to do about it.
`;
}
