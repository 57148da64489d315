// The product under test: the whole system as processes, or one service in this process with stand-ins of the others.
export { type ServiceName, serviceNames } from '@joblisting/contracts/permissions';
export * from './applications.ts';
export * from './builders.ts';
export * from './client.ts';
export * from './connection.ts';
export * from './fleet.ts';
export * from './operator.ts';
export * from './process.ts';
export * from './run-service.ts';
export * from './stand-in.ts';
export * from './system.ts';
export * from './users.ts';
