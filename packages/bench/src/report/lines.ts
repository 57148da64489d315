import { colourOf, drawing, element, legend, text } from './svg.ts';
import { shown } from './table.ts';

export interface Line {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface LineChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
}

const WIDTH = 960;
const HEIGHT = 420;
const LEFT = 80;
const RIGHT = 30;
const TOP = 70;
const BOTTOM = 50;
const Y_STEPS = 4;

/** Lines over an x axis that goes in powers of ten. */
export function lineChart({ title, xLabel, yLabel, lines }: LineChart): string {
  const points = lines.flatMap((line) => line.points);
  const xs = [...new Set(points.map(({ x }) => x))].toSorted((one, other) => one - other);
  const least = Math.log10(xs[0] ?? 1);
  const most = Math.log10(xs.at(-1) ?? 1);
  const highest = Math.max(...points.map(({ y }) => y), Number.MIN_VALUE);
  const xAt = (x: number): number =>
    LEFT + ((Math.log10(x) - least) / (most - least || 1)) * (WIDTH - LEFT - RIGHT);
  const yAt = (y: number): number => HEIGHT - BOTTOM - (y / highest) * (HEIGHT - TOP - BOTTOM);

  const grid = Array.from({ length: Y_STEPS + 1 }, (_, step) => (highest * step) / Y_STEPS).flatMap((y) => [
    element('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: yAt(y), y2: yAt(y), stroke: '#dddddd' }),
    text(LEFT - 8, yAt(y) + 4, shown(y), { 'text-anchor': 'end' }),
  ]);
  const ticks = xs.map((x) => text(xAt(x), HEIGHT - BOTTOM + 18, shown(x), { 'text-anchor': 'middle' }));
  const drawn = lines.flatMap((line, index) => [
    element('polyline', {
      points: line.points.map(({ x, y }) => `${xAt(x).toFixed(1)},${yAt(y).toFixed(1)}`).join(' '),
      fill: 'none',
      stroke: colourOf(index),
      'stroke-width': 2,
    }),
    ...line.points.map(({ x, y }) =>
      element('circle', { cx: xAt(x), cy: yAt(y), r: 3, fill: colourOf(index) }),
    ),
  ]);
  return drawing(WIDTH, HEIGHT, [
    text(16, 22, title, { 'font-size': 16 }),
    ...legend(
      LEFT,
      44,
      lines.map(({ name }) => name),
    ),
    text(16, TOP - 8, yLabel),
    ...grid,
    ...ticks,
    text(WIDTH - RIGHT, HEIGHT - 12, xLabel, { 'text-anchor': 'end' }),
    ...drawn,
  ]);
}
