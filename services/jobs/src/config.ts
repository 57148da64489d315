import { Type } from 'typebox';

/** What this service reads from the environment besides the common settings. */
export const jobsConfig = {
  SEARCH_URL: Type.String({
    default: 'https://search.example.com',
    pattern: String.raw`^https?://[^\s?#]+$`,
    // With "/Share/Job" and the longest id it must fit the 128 characters of a job's url (spec, "Limits").
    maxLength: 108,
    description: 'Public job-search address: a job without a short link has {SEARCH_URL}/Share/Job<id>.',
  }),
};
