export * from './cli.ts';
export * from './harness.ts';
export * from './suite.ts';
