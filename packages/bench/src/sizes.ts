/** Amounts of data and durations. */
export interface Sizes {
  readonly jobs: number;
  /** Jobs of the largest company, and of the one that it is compared with. */
  readonly largeCompany: number;
  readonly smallCompany: number;
  readonly companies: number;
  /** Jobs that are created over HTTP and then copied. */
  readonly templates: number;
  readonly rounds: number;
  /** Duration of a variant in each round, and before the first one. */
  readonly measureMs: number;
  readonly warmUpMs: number;
  /** Turns per round, 1 by default. */
  readonly turns?: number;
  readonly metricsEvents: number;
  readonly dueJobs: number;
  readonly postings: number;
}

/** The sizes for the goals. */
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

/** About two minutes; goals that depend on size mean less here. */
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
