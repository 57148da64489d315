/** What came of a call to bitly. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** 429. `retryAfter` is the header as it was sent. */
  | { readonly kind: 'limited'; readonly retryAfter: string | null }
  /** `reason` is fit for the log. `certain`: nothing came of it at bitly either. */
  | { readonly kind: 'failed'; readonly reason: string; readonly certain: boolean };
