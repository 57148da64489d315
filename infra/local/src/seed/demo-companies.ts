import type { DemoEmployer } from './job-bodies.ts';
import { clinicJobs } from './jobs-clinic.ts';
import { freightJobs } from './jobs-freight.ts';
import { softwareJobs } from './jobs-software.ts';

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
