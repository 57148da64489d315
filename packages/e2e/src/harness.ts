// What needs no test runner: for programs that start a system and talk to it.
export * from './builders.ts';
export * from './client.ts';
export * from './operator.ts';
export * from './processes.ts';
export * from './system.ts';
export * from './users.ts';
