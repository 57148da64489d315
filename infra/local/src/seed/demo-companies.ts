import { clinicJobs } from './jobs-clinic.ts';
import { freightJobs } from './jobs-freight.ts';
import { softwareJobs } from './jobs-software.ts';

export type DemoJob = {
  readonly title: string;
  readonly about: string;
  readonly tasks: readonly string[];
  /** System categories by id, own ones by name. */
  readonly categories: readonly (number | string)[];
  /** Job type ids. */
  readonly types: readonly number[];
  /** Days from today; negative: in the past. */
  readonly publishInDays: number;
  readonly closeInDays?: number;
};

export type DemoEmployer = {
  readonly name: string;
  readonly domain: string;
  readonly city: string;
  readonly province: string;
  /** ISO 3166-1 numeric. */
  readonly countryId: number;
  readonly jobs: readonly DemoJob[];
};

/** Three invented employers. Each has published, pending and closed jobs. */
export const demoCompanies: readonly DemoEmployer[] = [
  {
    name: 'Harbour Lane Software',
    domain: 'harbourlane.example',
    city: 'Toronto',
    province: 'Ontario',
    countryId: 124,
    jobs: softwareJobs,
  },
  {
    name: 'St. Brennan Clinic',
    domain: 'stbrennan.example',
    city: 'Dublin',
    province: 'Dublin',
    countryId: 372,
    jobs: clinicJobs,
  },
  {
    name: 'Redwood Freight',
    domain: 'redwoodfreight.example',
    city: 'San Jose',
    province: 'California',
    countryId: 840,
    jobs: freightJobs,
  },
];
