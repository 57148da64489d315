import { addressesAt } from '../src/addresses.ts';
import { describeApi } from '../src/openapi/document.ts';
import { table } from '../src/routes/table.ts';

/** The description of the checked-out HTTP API, with the same address in every release. */
export const apiOfToday = () => describeApi(table, addressesAt('https://jobs.example.com'));
