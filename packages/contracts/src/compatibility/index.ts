export { compareApis } from './apis.ts';
export { compareContracts } from './contracts.ts';
export { report } from './findings.ts';
export { type Json, type JsonObject, plainJson } from './json.ts';
export * from './snapshot.ts';
export type { Retired } from './contracts.ts';
