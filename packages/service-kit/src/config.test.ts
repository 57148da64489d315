import { describe, expect, it } from '@jest/globals';
import { Type } from 'typebox';
import { commonConfig, ConfigError, loadConfig, mongoConfig } from './config.ts';

const problemsOf = (properties: Parameters<typeof loadConfig>[0], env: NodeJS.ProcessEnv) => {
  try {
    loadConfig(properties, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

const own = { LIMIT: Type.Integer({ minimum: 1 }), SECRET: Type.String({ minLength: 8 }) };

describe('loadConfig', () => {
  it('has a default for everything common', () => {
    expect(loadConfig({ ...commonConfig, ...mongoConfig }, {})).toMatchObject({
      LOG_LEVEL: 'info',
      CLOCK_OFFSET_MS: 0,
      HEALTH_PORT: 0,
      MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
    });
  });

  it('reads numbers from text, and takes an empty variable as absent', () => {
    const env = { CLOCK_OFFSET_MS: '-3600000', HEALTH_PORT: '', NATS_USER: '' };
    const config = loadConfig(commonConfig, env);
    expect(config).toMatchObject({ CLOCK_OFFSET_MS: -3_600_000, HEALTH_PORT: 0 });
    expect(config).not.toHaveProperty('NATS_USER');
  });

  it('ignores variables that it does not name', () => {
    expect(loadConfig({}, { PATH: '/bin' })).toEqual({});
  });

  it('names every problem at once, and never a value', () => {
    const env = {
      LOG_LEVEL: 'loud',
      HEALTH_PORT: '70000',
      CLOCK_OFFSET_MS: 'noon',
      MONGODB_URI: 'postgres://user:hunter2@host',
      SECRET: 'short',
    };
    const problems = problemsOf({ ...commonConfig, ...mongoConfig, ...own }, env);
    expect(problems.toSorted()).toEqual([
      'CLOCK_OFFSET_MS must be integer',
      'HEALTH_PORT must be <= 65535',
      'LIMIT is required',
      'LOG_LEVEL must be equal to one of the allowed values: fatal,error,warn,info,debug,trace,silent',
      'MONGODB_URI must match pattern "^mongodb(\\+srv)?://"',
      'SECRET must NOT have fewer than 8 characters',
    ]);
    expect(problems.join()).not.toMatch(/hunter2|short|noon|loud/);
  });

  it.each([
    ['production', '1', ['CLOCK_OFFSET_MS must not be set with NODE_ENV=production']],
    ['production', '0', []],
    ['production', '', []],
    ['development', '1', []],
    ['development', '-Infinity', ['CLOCK_OFFSET_MS must be finite']],
  ])('with NODE_ENV=%s and CLOCK_OFFSET_MS=%s has the problems %j', (NODE_ENV, CLOCK_OFFSET_MS, problems) => {
    expect(problemsOf(commonConfig, { NODE_ENV, CLOCK_OFFSET_MS })).toEqual(problems);
  });
});

describe('NATS_STREAM_REPLICAS', () => {
  it.each([
    ['', undefined],
    ['1', 1],
    ['3', 3],
    ['5', 5],
  ])('"%s" is %s', (NATS_STREAM_REPLICAS, replicas) => {
    expect(loadConfig(commonConfig, { NATS_STREAM_REPLICAS }).NATS_STREAM_REPLICAS).toBe(replicas);
  });

  it.each(['2', '0', '7', 'three'])('is not "%s"', (NATS_STREAM_REPLICAS) => {
    expect(problemsOf(commonConfig, { NATS_STREAM_REPLICAS })).not.toEqual([]);
  });
});

describe('ConfigError', () => {
  it('puts one problem in one line, and several on a line each', () => {
    expect(new ConfigError(['a']).message).toBe('The configuration is wrong: a');
    expect(new ConfigError(['a', 'b']).message).toBe('The configuration is wrong:\n  - a\n  - b');
  });
});
