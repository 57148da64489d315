import type { Addresses } from '../addresses.ts';
import { JSON_TYPE } from '../http/headers.ts';
import { readPageFile, readScalar } from './files.ts';
import { escapeHtml, layout, pathAt, policyOf } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import type { Page } from './serve.ts';

/** The parts of an OpenAPI document that are shown before the script has run. */
interface Description {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

interface Operation extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** GET /docs/reference, with Scalar, and /openapi.json. Nothing is loaded from elsewhere, so it works offline. */
export async function referencePages(description: object, addresses: Addresses): Promise<Page[]> {
  const [scalar, start] = await Promise.all([readScalar(), readPageFile('reference.js')]);
  return [
    referencePage(description as Description, addresses),
    { path: '/docs/reference.js', type: SCRIPT_TYPE, content: start },
    { path: '/docs/scalar.js', type: SCRIPT_TYPE, content: scalar },
    { path: '/openapi.json', type: JSON_TYPE, content: JSON.stringify(description) },
  ];
}

function referencePage(description: Description, addresses: Addresses): Page {
  const at = pathAt(addresses);
  const body = `<div id="reference" data-description="${at('/openapi.json')}"></div>
<main id="content">
<h1>Reference</h1>
${renderMarkdown(description.info.description, at).html}
${operationsHtml(operationsOf(description), at)}
</main>
<script src="${at('/docs/scalar.js')}" defer></script>
<script src="${at('/docs/reference.js')}" defer></script>`;
  const summary = 'Every operation of the API with its parameters, body, answers and errors.';
  const page = layout(addresses, { path: '/docs/reference', title: 'Reference', summary, body });
  return { ...page, policy: policyOf(scalarNeeds(addresses)) };
}

/** Scalar writes style elements and attributes. Its form sends requests to the API. */
const scalarNeeds = ({ origin }: Addresses): Record<string, string> => ({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'connect-src': `'self' ${new URL(origin).origin}`,
});

const operationsOf = ({ paths }: Description): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, operation]) => Object.assign({ method: method.toUpperCase(), path }, operation)),
  );

/** What is read without the script, and removed by it. */
function operationsHtml(operations: readonly Operation[], at: (path: string) => string): string {
  const byTag = [...Map.groupBy(operations, ({ tags }) => tags[0] ?? '')];
  const links = byTag.map(
    ([tag, ofTag]) => `<h2>${tag}</h2>
<ul class="operations">
${ofTag.map(({ operationId, method, path, summary }) => `<li><a href="#${operationId}"><code>${method} ${escapeHtml(path)}</code></a> ${escapeHtml(summary)}</li>`).join('\n')}
</ul>`,
  );
  return [...links, ...operations.map((operation) => operationHtml(operation, at))].join('\n');
}

function operationHtml(operation: Operation, at: (path: string) => string): string {
  const {
    operationId,
    method,
    path,
    summary,
    description,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const sent = parameters.map(
    ({ name, in: place, required }) =>
      `<code>${escapeHtml(name)}</code> (${place}${required ? ', required' : ''})`,
  );
  if (requestBody) sent.push('a body');
  const answers = Object.entries(responses).map(
    ([status, answer]) => `<dt>${status}</dt><dd>${escapeHtml(answer.description)}</dd>`,
  );
  return `<section id="${operationId}">
<h2>${escapeHtml(summary)}</h2>
<p><code>${method} ${escapeHtml(path)}</code></p>
${renderMarkdown(description, at).html}
${sent.length > 0 ? `<p>Takes ${sent.join(', ')}.</p>` : ''}
<dl>${answers.join('\n')}</dl>
</section>`;
}
