export { countries, countryByCode, countryById } from './country.ts';
export type { Country } from './country.ts';
export { provinceByCode, provinceById, provinceId, provinces } from './province.ts';
export type { Province } from './province.ts';
