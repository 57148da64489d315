export * from './builders.ts';
export * from './client.ts';
export * from './operator.ts';
export * from './processes.ts';
export * from './suite.ts';
export * from './system.ts';
export * from './cli.ts';
