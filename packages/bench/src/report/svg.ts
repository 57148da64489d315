/** Text as it may stand in XML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

type Attributes = Readonly<Record<string, string | number>>;

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(typeof value === 'number' ? rounded(value) : value)}"`)
    .join('');

const rounded = (value: number): string => String(Math.round(value * 10) / 10);

export const element = (name: string, attributes: Attributes, content = ''): string =>
  `<${name}${attributesOf(attributes)}>${content}</${name}>`;

export const text = (x: number, y: number, content: string, more: Attributes = {}): string =>
  element('text', { x, y, ...more }, escaped(content));

/** A drawing on white, in a font that every viewer has. */
export const drawing = (width: number, height: number, parts: readonly string[]): string =>
  `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      'font-family': 'sans-serif',
      'font-size': 12,
    },
    ['', element('rect', { width, height, fill: '#ffffff' }), ...parts, ''].join('\n'),
  )}\n`;

/** Colours that are told apart in print and by the colour-blind (Okabe and Ito). */
export const colours = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#f0e442',
  '#999999',
];

export const colourOf = (index: number): string => colours[index % colours.length] as string;

/** The names of what is drawn, each beside its colour, in one line. */
export function legend(x: number, y: number, names: readonly string[]): string[] {
  let at = x;
  return names.flatMap((name, index) => {
    const left = at;
    at += 30 + name.length * 7;
    return [
      element('rect', { x: left, y: y - 9, width: 10, height: 10, fill: colourOf(index) }),
      text(left + 14, y, name),
    ];
  });
}
