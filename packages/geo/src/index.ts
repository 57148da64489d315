export { countries, countryByCode, countryById, countryCode } from './country.ts';
export type { Country } from './country.ts';
export { provinceByCode, provinceById, provinceCode, provinceId, provinces } from './province.ts';
export type { Province } from './province.ts';
