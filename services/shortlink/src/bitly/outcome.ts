/** What came of a call to bitly. */
export type Outcome<T> = { readonly kind: 'done'; readonly value: T } | Limited | Failed;

/** A limit of bitly is reached. `retryAfter` is the header as it was sent; `isMonthly`: it is the plan's limit. */
export interface Limited {
  readonly kind: 'limited';
  readonly retryAfter: string | null;
  readonly isMonthly: boolean;
}

export interface Failed {
  readonly kind: 'failed';
  /** Fit for the log. */
  readonly reason: string;
  /** Nothing came of it at bitly either. */
  readonly isCertain: boolean;
  /** It is the link itself that bitly refuses: no other token and no other time would help. */
  readonly isRefusal: boolean;
}
