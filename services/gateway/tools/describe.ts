// Writes the description of the checked-out HTTP API to openapi.json, for what is generated from it.
import { writeFileSync } from 'node:fs';
import { apiOfToday } from './api-of-today.ts';

writeFileSync(new URL('../openapi.json', import.meta.url), JSON.stringify(apiOfToday(), undefined, 2));
