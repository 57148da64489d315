import { ErrorCode, type Status } from 'nats';

/**
 * What the server did not let this connection do. `reply`: it knows of no request on this connection that waits for it
 * any more; `subject` is whose inbox it was for. `connection`: come back; `subject` is the server's word for why.
 */
export interface Denial {
  readonly operation: 'publish' | 'subscription' | 'reply' | 'connection';
  readonly subject: string;
}

const AUTHORIZATION_VIOLATION: string = ErrorCode.AuthorizationViolation;

/** The same denial is told again after this. */
const QUIET_MS = 60_000;

/** Keeps what this connection may not do. `onDenied` hears of each denial, but of one subject once a minute. */
export function createDenials(onDenied: (denial: Denial) => void) {
  const subscriptions = new Set<string>();
  let told = new Set<string>();
  let quietSince = 0;

  const tell = (denial: Denial): void => {
    if (Date.now() - quietSince > QUIET_MS) {
      told = new Set();
      quietSince = Date.now();
    }
    const key = `${denial.operation} ${denial.subject}`;
    if (told.has(key)) return;
    told.add(key);
    onDenied(denial);
  };

  return {
    /** The denial that a status of the connection is about, if it is about one. */
    note: ({ data, permissionContext }: Status): Denial | undefined => {
      if (data === AUTHORIZATION_VIOLATION) tell({ operation: 'connection', subject: data });
      if (!permissionContext) return undefined;
      const { operation, subject } = permissionContext;
      if (operation !== 'publish' && operation !== 'subscription') return undefined;
      if (operation === 'publish' && subject.startsWith('_INBOX')) {
        tell({ operation: 'reply', subject: subject.split('.')[0] ?? subject });
        return undefined;
      }
      const denial = { operation, subject } as const;
      // The client forgets such a subscription: it does not come back before the process starts anew.
      if (operation === 'subscription') subscriptions.add(subject);
      tell(denial);
      return denial;
    },
    /** Subjects that should be listened to, and are not. */
    subscriptions: (): readonly string[] => [...subscriptions],
  };
}
