import { describe, expect, it } from '@jest/globals';
import type { Round } from './variants.ts';
import { figuresOf } from './figures.ts';

const variant = {
  name: 'product',
  connections: 32,
  origin: 'http://127.0.0.1:1',
  next: () => '',
  status: 200,
  serving: ['gateway', 'jobs'],
};
const round = (gateway: number, jobs: number, more: Partial<Round> = {}): Round => ({
  requests: 10,
  wrong: [],
  perSecond: 100,
  p50: 5,
  p99: 9,
  cpu: { gateway, jobs, mongod: 50, 'nats-server': 7, load: 3 },
  memory: { gateway: 90, jobs: 120 },
  ...more,
});

describe('figuresOf', () => {
  it('has the best sum of a round, not the sum of the best parts', () => {
    const { services, each } = figuresOf(variant, [round(100, 300), round(200, 150)]);
    expect(services).toBe(350);
    expect(each).toEqual({ gateway: 100, jobs: 150 });
  });

  it('has the highest rate, the lowest times and all wrong answers', () => {
    const rounds = [
      round(1, 1, { perSecond: 90, p99: 20, wrong: [[503, 2]] }),
      round(1, 1, {
        wrong: [
          [0, 1],
          [504, 1],
        ],
      }),
    ];
    expect(figuresOf(variant, rounds)).toMatchObject({
      perSecond: 100,
      p50: 5,
      p99: 9,
      wrong: 4,
      mongod: 50,
    });
  });
});
