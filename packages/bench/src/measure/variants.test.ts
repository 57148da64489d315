import { describe, expect, it } from '@jest/globals';
import { roundOf } from './variants.ts';

const turn = (requests: number, cpu: number, memory: number, wrong: [number, number][] = []) => ({
  requests,
  wrong: new Map(wrong),
  seconds: 2,
  times: Array.from({ length: requests }, () => cpu / requests),
  cpu: { gateway: cpu },
  memory: { gateway: memory },
});

describe('roundOf', () => {
  it('combines turns by their requests, with the memory of the last one', () => {
    expect(roundOf([turn(1, 90, 120), turn(3, 30, 140, [[503, 2]])])).toEqual({
      requests: 4,
      wrong: [[503, 2]],
      perSecond: 1,
      p50: 10,
      p99: 90,
      cpu: { gateway: 30 },
      memory: { gateway: 140 },
    });
  });
});
