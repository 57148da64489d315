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
