import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { commonConfig, ConfigError, loadConfig, mongoConfig } from './config.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const schemas = { ...commonConfig, ...mongoConfig };
const marker = 'hunter2-';
const value = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => `${marker}${text}`),
  fc.integer().map(String),
  fc.constantFrom('', '1.5', '-1', '70000', 'production', 'silent', 'mongodb://a', 'NaN', 'Infinity', '0x10'),
);
const env = fc.dictionary(fc.constantFrom(...Object.keys(schemas), 'OTHER', '__proto__'), value);

describe('loadConfig', () => {
  it('gives valid settings for any environment, or lists the problems without any value', () => {
    fc.assert(
      fc.property(env, (each) => {
        try {
          const { HEALTH_PORT, MAX_IN_FLIGHT, CLOCK_OFFSET_MS, MONGODB_URI } = loadConfig(schemas, each);
          expect(Number.isInteger(HEALTH_PORT) && HEALTH_PORT >= 0 && HEALTH_PORT <= 65_535).toBe(true);
          expect(Number.isInteger(MAX_IN_FLIGHT) && MAX_IN_FLIGHT >= 1).toBe(true);
          expect(Number.isInteger(CLOCK_OFFSET_MS)).toBe(true);
          expect(MONGODB_URI).toMatch(/^mongodb/);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          expect((error as ConfigError).message).not.toContain(marker);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
