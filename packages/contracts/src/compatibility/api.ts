import type { Json, JsonObject } from './json.ts';
import type { Compare } from './pair.ts';

/** Two OpenAPI documents under comparison: how to compare their schemas, and to follow their references. */
export interface Api {
  readonly compare: Compare;
  readonly before: (value: Json | undefined) => JsonObject;
  readonly after: (value: Json | undefined) => JsonObject;
}
