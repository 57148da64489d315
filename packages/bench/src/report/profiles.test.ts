import { describe, expect, it } from '@jest/globals';
import type { ArmFigures } from '../measure/figures.ts';
import { profilesMarkdown } from './profiles.ts';

const arm: ArmFigures = {
  arm: 'product',
  reference: undefined,
  connections: 32,
  perSecond: 1000,
  p50: 3,
  p99: 9,
  services: 600,
  mongod: 100,
  nats: 40,
  load: 20,
  each: { gateway: 400, jobs: 200 },
  memory: {},
  wrong: 0,
};
const gateway = {
  process: 'gateway',
  micros: 400,
  samples: 2000,
  parts: [
    { name: 'nats', share: 0.75 },
    { name: 'node', share: 0.25 },
  ],
  functions: [{ name: 'parse', file: 'nats/lib/parser.js:3', share: 0.5 }],
};
const result = (arms: readonly ArmFigures[]) => ({
  scenario: 'get-job',
  seconds: 1,
  arms,
  goals: [],
  notes: [],
});

describe('profilesMarkdown', () => {
  it('says of each process what its parts and functions cost a request', () => {
    const text = profilesMarkdown([
      result([
        { ...arm, arm: 'plain bus' },
        { ...arm, profiles: [gateway] },
      ]),
    ]);
    const sections = text?.split('\n\n').slice(2);
    expect(sections).toEqual([
      '## get-job: product',
      '### gateway: 400 µs a request, 2000 samples',
      [
        '| Part | % | µs a request |',
        '| --- | --- | --- |',
        '| nats | 75.0 | 300 |',
        '| node | 25.0 | 100 |',
      ].join('\n'),
      [
        '| Function | File | % | µs a request |',
        '| --- | --- | --- | --- |',
        '| parse | nats/lib/parser.js:3 | 50.0 | 200 |',
        '',
      ].join('\n'),
    ]);
  });

  it('is nothing where nothing was profiled', () => {
    expect(profilesMarkdown([result([arm])])).toBeUndefined();
  });
});
