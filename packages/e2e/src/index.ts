export * from '@joblisting/testing/system';
export * from './cli.ts';
export * from './suite.ts';
