import { expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { addressesAt } from '../src/addresses.ts';
import { describeApi } from '../src/openapi/document.ts';
import { table } from '../src/routes/table.ts';

it('GET /openapi.json is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const description = describeApi(table, addressesAt('https://jobs.example.com'));
  expect(await validator.validate({ ...description })).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});
