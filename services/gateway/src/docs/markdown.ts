import { Marked, type Tokens } from 'marked';
import { escapeHtml } from './layout.ts';

/** Languages of the examples: what a fence in Markdown says, and what a reader is shown. */
export const languages = { bash: 'curl', ts: 'TypeScript', python: 'Python' } as const;

interface Rendered {
  readonly html: string;
  readonly sections: readonly { readonly id: string; readonly html: string }[];
}

/** Renders a guide of this package: its text is trusted. Links that begin with `/` get their path from `at`. */
export function renderMarkdown(text: string, at: (path: string) => string): Rendered {
  const sections: Rendered['sections'][number][] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = idOf(text);
        const html = this.parser.parseInline(tokens);
        if (depth === 2) sections.push({ id, html });
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      code: renderCode,
      link({ href, tokens }) {
        const target = href.startsWith('/') ? at(href) : href;
        return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
    hooks: { postprocess: scrollTables },
  });
  return { html: marked.parse(text, { async: false }), sections };
}

/** Other blocks have no caption. */
const captions: Readonly<Record<string, string>> = { ...languages, json: 'Answer', text: 'Output' };

function renderCode({ text, lang = '' }: Tokens.Code): string {
  const caption = captions[lang];
  return `<figure${lang in languages ? ` class="example ${lang}"` : ''}>
${caption === undefined ? '' : `<figcaption>${caption}</figcaption>`}
<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>
</figure>
`;
}

/** A wide table scrolls by itself, not with its page. */
const scrollTables = (html: string): string =>
  html
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');

const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');
