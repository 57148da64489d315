export { compareApis } from './apis.ts';
export type { Change, Effect, Finding, Use } from './change.ts';
export { judge } from './change.ts';
export { compareContracts, type Retired } from './contracts.ts';
export { type Json, type JsonObject, plainJson } from './json.ts';
export { report } from './report.ts';
export { compareSchemas } from './schemas.ts';
export * from './snapshot.ts';
