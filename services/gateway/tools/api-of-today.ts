import { addressesAt } from '../src/addresses.ts';
import { describeApi } from '../src/openapi/document.ts';
import { table } from '../src/routes/table.ts';

/** The description of the HTTP API as it is checked out, at an address that is the same for every release. */
export const apiOfToday = () => describeApi(table, addressesAt('https://jobs.example.com'));
