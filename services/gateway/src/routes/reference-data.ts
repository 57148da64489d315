import { Country, Int32, jobTypes, listJobTypes, NoParams, Province } from '@joblisting/contracts';
import { countries, provinces } from '@joblisting/geo';
import { jsonBytes } from '@joblisting/service-kit';
import { Type } from 'typebox';
import { country, province } from './examples.ts';
import type { LocalOperation, Row } from './row.ts';

const anyone = { keys: 'none' } as const;
const tag = 'Reference data';

const listCountries: LocalOperation = {
  summary: 'List the countries',
  params: NoParams,
  body: undefined,
  reply: Type.Array(Country),
  errors: [],
  answer: () => jsonBytes(countries()),
};

const listProvinces: LocalOperation = {
  summary: 'List the provinces of a country',
  params: Type.Object({ 'country.id': Int32({ description: 'ISO 3166-1 numeric code of the country.' }) }),
  body: undefined,
  reply: Type.Array(Province),
  errors: [],
  answer: (params) => jsonBytes(provinces(Number(params['country.id']))),
};

export const referenceDataRows: readonly Row[] = [
  {
    method: 'GET',
    path: '/jobtypes',
    name: 'listJobTypes',
    operation: listJobTypes,
    access: anyone,
    tag,
    description: 'The fixed list of job types.',
    tagged: true,
    cached: { in: 'fixed' },
    examples: { data: jobTypes },
  },
  {
    method: 'GET',
    path: '/countries',
    name: 'listCountries',
    operation: listCountries,
    access: anyone,
    tag,
    description: 'Countries of ISO 3166-1; the id is the numeric code.',
    tagged: true,
    cached: { in: 'fixed' },
    examples: { data: [country] },
  },
  {
    method: 'GET',
    path: '/provinces',
    name: 'listProvinces',
    operation: listProvinces,
    access: anyone,
    tag,
    description: 'Subdivisions (ISO 3166-2) of one country; none for an unknown country.',
    tagged: true,
    cached: { in: 'fixed' },
    examples: { parameters: { 'country.id': country.id }, data: [province] },
  },
];
