// What each bus user may do, for server setup. Services do not import it.
export * from './nats-conf.ts';
export * from './permissions.ts';
export * from './service.ts';
export * from './services.ts';
export * from './subjects.ts';
export * from './table.ts';
