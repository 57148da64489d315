/** Allowed tags that replace an element's start and end tag (spec, "Description content rules"). */
interface Replacement {
  readonly start: string;
  readonly end: string;
  /** Its name in reports. */
  readonly label: string;
}

const ALLOWED = ['strong', 'b', 'em', 'i', 'br', 'p', 'div', 'ul', 'ol', 'li', 'a'];

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt'];
const PARAGRAPHS = ['dd', 'pre', 'caption', 'figcaption', 'summary', 'legend'];
const SECTIONS = (
  'article section header footer main aside nav address figure details ' +
  'blockquote center fieldset form dl table tr'
).split(' ');
const CELLS = ['td', 'th'];
const LISTS = ['menu', 'dir'];

/** Elements whose content is not text for readers. They are removed with it. */
const REMOVED_WHOLE = (
  'script style iframe noembed noframes xmp textarea title head ' +
  'template object applet audio video canvas svg math select'
).split(' ');

const UNWRAPPED: Replacement = { start: '', end: '', label: 'unwrapped' };

function each(names: readonly string[], replacement: Replacement): [string, Replacement][] {
  return names.map((name) => [name, replacement]);
}

const REPLACEMENTS: ReadonlyMap<string, Replacement> = new Map([
  ...each(HEADINGS, { start: '<p><strong>', end: '</strong></p>', label: 'p, strong' }),
  ...each(PARAGRAPHS, { start: '<p>', end: '</p>', label: 'p' }),
  ...each(SECTIONS, { start: '<div>', end: '</div>', label: 'div' }),
  ...each(CELLS, { start: '', end: ' ', label: 'unwrapped' }),
  ...each(LISTS, { start: '<ul>', end: '</ul>', label: 'ul' }),
  ...each(['hr'], { start: '<br>', end: '', label: 'br' }),
]);

const allowed: ReadonlySet<string> = new Set(ALLOWED);
const removed: ReadonlySet<string> = new Set(REMOVED_WHOLE);

/** True for a tag that the API accepts in an html description. */
export function isAllowed(tagName: string): boolean {
  return allowed.has(tagName);
}

/** True for an element that is removed with its content. */
export function isRemovedWhole(tagName: string): boolean {
  return removed.has(tagName);
}

/** The replacement of a disallowed element. An unknown element keeps only its content. */
export function replacementOf(tagName: string): Replacement {
  return REPLACEMENTS.get(tagName) ?? UNWRAPPED;
}
