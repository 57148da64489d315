import { describe, expect, it } from '@jest/globals';
import { namesIn, namesExported } from './promql.ts';

describe('namesIn', () => {
  it.each([
    ['up{job="a b"} == 0', ['up'], ['job']],
    [
      'sum by (le, code) (rate(x_total{a=~"5..", b!="{y}"}[5m])) / 1e3',
      ['x_total'],
      ['le', 'code', 'a', 'b'],
    ],
    ['a / on (service) group_left (pod) b or c offset 5m', ['a', 'b', 'c'], ['service', 'pod']],
    ['max(a) by (x) > 0.5 and bool', ['a'], ['x']],
    ['a == 0\n  # a comment\n  or absent(b)', ['a', 'b'], []],
  ])('%s', (expression, metrics, labels) => {
    const names = namesIn(expression);
    expect([[...names.metrics], [...names.labels].toSorted()]).toEqual([metrics, labels.toSorted()]);
  });
});

describe('namesExported', () => {
  it('lists the series of a histogram', () => {
    const { metrics, labels } = namesExported(
      '# HELP a b\n# TYPE a histogram\na_bucket{le="1",code="x"} 1\n',
    );
    expect([...metrics]).toEqual(['a', 'a_bucket', 'a_sum', 'a_count']);
    expect([...labels]).toEqual(['le', 'code']);
  });
});
