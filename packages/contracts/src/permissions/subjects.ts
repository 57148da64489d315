import type { Event, Operation, Stream } from '../operation.ts';
import { serviceNames, services } from './services.ts';

/** What the contracts of all services declare. */
const contracts: readonly unknown[] = serviceNames.flatMap((name) => Object.values(services[name].contract));
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const operations = contracts.filter(
  (value): value is Operation => isObject(value) && 'subject' in value && 'owner' in value,
);
export const events = contracts.filter(
  (value): value is Event => isObject(value) && 'subject' in value && 'payload' in value,
);
export const streams = contracts.filter((value): value is Stream => isObject(value) && 'subjects' in value);
