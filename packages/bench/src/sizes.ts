/** How much is seeded, and how long is measured. */
export interface Sizes {
  readonly jobs: number;
  /** Jobs of the company that has most, and of the one to compare it with. */
  readonly largeCompany: number;
  readonly smallCompany: number;
  readonly companies: number;
  /** Jobs that are made over HTTP, and copied until there are enough. */
  readonly templates: number;
  readonly rounds: number;
  /** What each variant of a scenario is measured in each round, and what it runs before the first one. */
  readonly measureMs: number;
  readonly warmUpMs: number;
  /** Turns per round, 1 by default. */
  readonly turns?: number;
  readonly metricsEvents: number;
  readonly dueJobs: number;
  readonly postings: number;
}

/** As the goals say it. */
export const full: Sizes = {
  jobs: 200_000,
  largeCompany: 100_000,
  smallCompany: 1000,
  companies: 50,
  templates: 730,
  rounds: 3,
  measureMs: 5000,
  warmUpMs: 3000,
  metricsEvents: 300_000,
  dueJobs: 100_000,
  postings: 2000,
};

/** Under two minutes; goals that rest on size are told all the same. */
export const quick: Sizes = {
  ...full,
  jobs: 20_000,
  largeCompany: 10_000,
  smallCompany: 1000,
  companies: 10,
  templates: 240,
  measureMs: 400,
  warmUpMs: 200,
  metricsEvents: 40_000,
  dueJobs: 5000,
  postings: 300,
};
