/** What takes the place of an element: its start and end tag, in allowed tags (spec, "Description content rules"). */
export interface Replacement {
  readonly start: string;
  readonly end: string;
  /** How a report names it. */
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

/** Elements whose content is not text for a reader: they go with all they hold. */
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

/** True for a tag that the API takes in an html description. */
export function isAllowed(tagName: string): boolean {
  return allowed.has(tagName);
}

/** True for an element that is taken out together with its content. */
export function isRemovedWhole(tagName: string): boolean {
  return removed.has(tagName);
}

/** What a disallowed element becomes; one that is not known to be a block keeps only its content. */
export function replacementOf(tagName: string): Replacement {
  return REPLACEMENTS.get(tagName) ?? UNWRAPPED;
}
