import { describe, expect, it } from '@jest/globals';
import { barChart } from './bars.ts';
import { lineChart } from './lines.ts';
import { drawing, element, escaped, text } from './svg.ts';

describe('svg', () => {
  it('escapes what XML takes for its own', () => {
    expect(escaped('a < b & "c" > d')).toBe('a &lt; b &amp; &quot;c&quot; &gt; d');
    expect(text(1, 2, '<x>')).toBe('<text x="1" y="2">&lt;x&gt;</text>');
  });

  it('rounds numbers', () => {
    expect(element('rect', { width: 1 / 3 })).toBe('<rect width="0.3"></rect>');
  });

  it('says its size', () => {
    expect(drawing(10, 20, [])).toContain('viewBox="0 0 10 20"');
  });
});

const widths = (svg: string): number[] =>
  [...svg.matchAll(/<rect x="[^"]+" y="[^"]+" width="([^"]+)" height="15"/g)].map(([, width]) =>
    Number(width),
  );

describe('barChart', () => {
  const bars = [
    { label: 'plain', parts: { gateway: 300, service: 300 } },
    { label: 'product', parts: { gateway: 150 } },
  ];

  it('draws parts to one scale, and nothing for what is not there', () => {
    expect(widths(barChart({ title: 'CPU', unit: 'µs', bars }))).toEqual([270, 270, 135, 0]);
  });

  it('leaves room for the line', () => {
    const svg = barChart({ title: 'CPU', unit: 'µs', bars, line: 1200 });
    expect(widths(svg)).toEqual([135, 135, 67.5, 0]);
    expect(svg).toContain('<line x1="870" x2="870"');
  });

  it('draws no bars where there are none', () => {
    expect(widths(barChart({ title: 'CPU', unit: 'µs', bars: [] }))).toEqual([]);
  });
});

describe('lineChart', () => {
  it('puts powers of ten at equal distances', () => {
    const points = [1000, 10_000, 100_000].map((x) => ({ x, y: 5 }));
    const svg = lineChart({ title: 't', xLabel: 'jobs', yLabel: 'µs', lines: [{ name: 'get', points }] });
    expect(svg).toContain('points="80.0,70.0 505.0,70.0 930.0,70.0"');
  });

  it('draws a single point', () => {
    const lines = [{ name: 'get', points: [{ x: 10, y: 1 }] }];
    expect(lineChart({ title: 't', xLabel: 'jobs', yLabel: 'µs', lines })).toContain('<circle cx="80"');
  });
});
