import { describe as suite, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import { describe } from './description.ts';
import { newFindings } from './findings.ts';
import { hrefFault } from './href.ts';
import { htmlVerdict } from './html.ts';

const htmlViolations = (html: string) => htmlVerdict(html).violations;
import { ALLOWED_TAGS } from './html-tags.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const RUNS = { numRuns: 1000 };
const SCHEMES = new Set(['http:', 'https:', 'mailto:']);
const TARGETS = new Set(['_blank', '_self', '_parent', '_top']);

const schemes = [
  'https://',
  'http://',
  'HTTPS://',
  'mailto:',
  'javascript:',
  'java&Tab;script:',
  'data:',
  '//',
  '/',
  '',
];
const rests = [
  'example.com',
  'a@b.example',
  'b&amp;c=1',
  '&#58;',
  '%0a',
  '\\x',
  ' x',
  '\u202e',
  '?q#f',
  '[::1]',
  '&colon;',
  '\t',
];
const href = fc
  .tuple(fc.constantFrom(...schemes), fc.array(fc.constantFrom(...rests), { maxLength: 3 }))
  .map(([scheme, rest]) => scheme + rest.join(''));
const name = fc.constantFrom(
  ...ALLOWED_TAGS,
  'A',
  'P',
  'script',
  'svg',
  'math',
  'template',
  'style',
  'title',
  'span',
);
const quoted = (text: string): fc.Arbitrary<string> => fc.constantFrom(`"${text}"`, `'${text}'`, text);
const attribute = fc.oneof(
  { weight: 4, arbitrary: href.chain(quoted).map((value) => ` href=${value}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(' target=_blank', ' TARGET="_top"', ' target=x', ' onclick=x', ' /', ' class'),
  },
);
const tag = fc
  .tuple(
    fc.constantFrom('<', '<', '<', '</', '< '),
    name,
    fc.array(attribute, { maxLength: 2 }),
    fc.constantFrom('>', '>', '>', '/>', ' >', ''),
  )
  .map(([open, tagName, attributes, close]) => open + tagName + attributes.join('') + close);
const goodTag = fc.oneof(
  fc
    .constantFrom(...[...ALLOWED_TAGS].filter((each) => each !== 'a'))
    .chain((each) => fc.constantFrom(`<${each}>`, `</${each}>`, `<${each.toUpperCase()} />`)),
  fc.constantFrom(
    '<a href="https://example.com/?a=1&amp;b=2">',
    "<a target=_top href='mailto:a@b.example'>",
    '</a>',
  ),
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '&lt;',
    '&amp;',
    '&',
    '<',
    '>',
    '&#x3c;script&#x3e;',
    '&nbsp',
    '<!--',
    '-->',
    '<!',
    '<?',
    ']]>',
    '<![CDATA[',
  ),
);
const join = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
const html = fc.oneof(
  join(fc.oneof(tag, text)),
  join(fc.oneof(goodTag, fc.constantFrom('x', ' ', '&amp;', '3 < 4'))),
);

type Node = DefaultTreeAdapterTypes.ChildNode;
const isElement = (node: Node): node is DefaultTreeAdapterTypes.Element => 'tagName' in node;
const allOf = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) => [node, ...(isElement(node) ? allOf(node.childNodes) : [])]);
const textOf = (nodes: readonly Node[]): string =>
  allOf(nodes)
    .map((node) => ('value' in node ? node.value : ''))
    .join('');

suite('htmlViolations', () => {
  it('gives a verdict on any text, with a limited number of violations', () => {
    fc.assert(
      fc.property(fc.oneof(html, fc.string({ unit: 'binary' })), (each) => {
        const found = htmlViolations(each);
        expect(found.length).toBeLessThanOrEqual(50);
        for (const { pointer, detail } of found) {
          expect(pointer).toBe('#/description');
          expect(detail.length).toBeLessThan(200);
        }
      }),
      RUNS,
    );
  });

  it('what is accepted is read by a parser as allowed tags and attributes only', () => {
    let accepted = 0;
    fc.assert(
      fc.property(html, (each) => {
        if (htmlViolations(each).length > 0) return;
        accepted++;
        for (const node of allOf(parseFragment(each).childNodes)) {
          if (!isElement(node)) {
            expect(node.nodeName).toBe('#text');
            continue;
          }
          expect(ALLOWED_TAGS).toContain(node.tagName);
          for (const { name: attributeName, value } of node.attrs) {
            expect(node.tagName).toBe('a');
            if (attributeName === 'href') expect(SCHEMES).toContain(new URL(value).protocol);
            else expect([attributeName, TARGETS.has(value)]).toEqual(['target', true]);
          }
        }
      }),
      RUNS,
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('what is accepted means the same after a parser has serialized it, and is accepted again', () => {
    fc.assert(
      fc.property(html, (each) => {
        if (htmlViolations(each).length > 0) return;
        const tree = parseFragment(each);
        const written = serialize(tree);
        expect(htmlViolations(written)).toEqual([]);
        expect(textOf(parseFragment(written).childNodes)).toBe(textOf(tree.childNodes));
      }),
      RUNS,
    );
  });
});

suite('hrefFault', () => {
  it('accepts only what a browser reads as http, https or mailto without user information', () => {
    const any = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc
        .tuple(fc.constantFrom('https://', 'mailto:', 'http://', ''), fc.string({ unit: 'binary' }))
        .map((pair) => pair.join('')),
    );
    fc.assert(
      fc.property(any, (each) => {
        if (hrefFault(each) !== undefined) return;
        const { protocol, username, password } = new URL(each);
        expect(SCHEMES).toContain(protocol);
        expect(username + password).toBe('');
        expect(each).not.toMatch(/[\s\\\u202a-\u202e]/u);
      }),
      RUNS,
    );
  });
});

suite('a text description', () => {
  it('contains no tag, keeps its meaning, and is encoded once', () => {
    const before = { description: 'old', descriptionFormat: 'text' as const };
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (description) => {
        const { description: stored } = describe(before, { description }, newFindings());
        expect(stored).not.toMatch(/[<>]/);
        expect(stored.replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toBe(
          description.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
        );
        const findings = newFindings();
        expect(describe({ ...before, description: '' }, { description: stored }, findings).description).toBe(
          stored,
        );
        expect(findings.warnings).toEqual([]);
      }),
    );
  });
});
