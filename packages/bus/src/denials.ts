import { ErrorCode, type Status } from 'nats';

/**
 * Something that the server denied to this connection. `reply`: answer a request that the server no longer knows, as
 * after a reconnect; `subject` is the prefix of the inbox. `connection`: reconnect; `subject` is the server's reason.
 */
export interface Denial {
  readonly operation: 'publish' | 'subscription' | 'reply' | 'connection';
  readonly subject: string;
}

const AUTHORIZATION_VIOLATION: string = ErrorCode.AuthorizationViolation;

/** The same denial is reported at most once in this time. */
const REPORT_EVERY_MS = 60_000;

/** Remembers denied subscriptions, and reports denials: each subject at most once a minute. */
export function createDenials(onDenied: (denial: Denial) => void) {
  const subscriptions = new Set<string>();
  let reported = new Set<string>();
  let reportedSince = 0;

  const report = (denial: Denial): void => {
    if (Date.now() - reportedSince > REPORT_EVERY_MS) {
      reported = new Set();
      reportedSince = Date.now();
    }
    const key = `${denial.operation} ${denial.subject}`;
    if (reported.has(key)) return;
    reported.add(key);
    onDenied(denial);
  };

  return {
    /** The denial that a status of the connection is about, if any. A denied reply is only reported. */
    note: ({ data, permissionContext }: Status): Denial | undefined => {
      if (data === AUTHORIZATION_VIOLATION) report({ operation: 'connection', subject: data });
      if (!permissionContext) return undefined;
      const { operation, subject } = permissionContext;
      if (operation !== 'publish' && operation !== 'subscription') return undefined;
      if (operation === 'publish' && subject.startsWith('_INBOX')) {
        report({ operation: 'reply', subject: subject.split('.')[0] ?? subject });
        return undefined;
      }
      const denial = { operation, subject } as const;
      // The client drops such a subscription, so it is missing until the process restarts.
      if (operation === 'subscription') subscriptions.add(subject);
      report(denial);
      return denial;
    },
    /** The denied subscriptions. */
    subscriptions: (): readonly string[] => [...subscriptions],
  };
}
