import { colourOf, drawing, element, legend, text } from './svg.ts';
import { shown } from './table.ts';

/** A bar made of parts, one behind the other. */
export interface Bar {
  readonly label: string;
  /** By the name of the part. */
  readonly parts: Readonly<Record<string, number>>;
}

export interface BarChart {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
  /** A line across all bars, such as a limit. */
  readonly line?: number;
}

const WIDTH = 960;
const LEFT = 330;
const RIGHT = 90;
const TOP = 60;
const STEP = 22;
const BAR = 15;

const totalOf = ({ parts }: Bar): number => Object.values(parts).reduce((sum, part) => sum + part, 0);

/** Bars that lie, so that their labels can be read; each with its total. */
export function barChart({ title, unit, bars, line }: BarChart): string {
  const names = [...new Set(bars.flatMap(({ parts }) => Object.keys(parts)))];
  const longest = Math.max(line ?? 0, ...bars.map(totalOf), Number.MIN_VALUE);
  const scale = (value: number): number => (value / longest) * (WIDTH - LEFT - RIGHT);
  const height = TOP + bars.length * STEP + 16;
  const drawn = bars.flatMap((bar, row) => {
    const y = TOP + row * STEP;
    let x = LEFT;
    const parts = names.map((name, index) => {
      const width = scale(bar.parts[name] ?? 0);
      x += width;
      return element('rect', { x: x - width, y, width, height: BAR, fill: colourOf(index) });
    });
    return [
      text(LEFT - 8, y + 12, bar.label, { 'text-anchor': 'end' }),
      ...parts,
      text(x + 6, y + 12, `${shown(totalOf(bar))} ${unit}`),
    ];
  });
  const x = LEFT + scale(line ?? 0);
  const limit = element('line', { x1: x, x2: x, y1: TOP - 6, y2: height - 10, stroke: '#000000' });
  return drawing(WIDTH, height, [
    text(16, 22, title, { 'font-size': 16 }),
    ...legend(LEFT, 42, names.length > 1 ? names : []),
    ...drawn,
    ...(line === undefined ? [] : [limit]),
  ]);
}
