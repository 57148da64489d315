import { categoryRows } from './categories.ts';
import { jobRows } from './jobs.ts';
import { metricsRows } from './metrics.ts';
import { referenceDataRows } from './reference-data.ts';
import type { Row } from './row.ts';

/** Every operation of the API: what is routed, what is described, what needs which keys. */
export const table: readonly Row[] = [...jobRows, ...categoryRows, ...referenceDataRows, ...metricsRows];
