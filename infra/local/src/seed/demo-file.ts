/** What scripts need to use the demo: `.data/demo.json`. */
export type Demo = {
  /** With the version segment, as the specification's {base_url}. */
  readonly baseUrl: string;
  /** May read and write jobs, and write categories. */
  readonly consumerKey: string;
  /** May only report metrics events. */
  readonly metricsKey: string;
  readonly companies: readonly DemoCompany[];
};

export type DemoCompany = { readonly id: number; readonly name: string; readonly userKey: string };
