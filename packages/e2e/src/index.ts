export * from '@joblisting/testing/system';
export * from './applications.ts';
export * from './cli.ts';
export * from './suite.ts';
