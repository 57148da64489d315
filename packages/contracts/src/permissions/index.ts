// Who may do what on the bus: for whoever sets up a server. Services need none of it.
export * from './nats-conf.ts';
export * from './permissions.ts';
export * from './services.ts';
export * from './table.ts';
