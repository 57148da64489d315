import { serviceNames } from '@joblisting/testing/system';
import type { FleetOptions } from '@joblisting/testing/system';

/** How long a client may take to send a request, in milliseconds: short, so that slow ones can be waited for. */
export const SHORT_RECEIVE_MS = 2000;

/**
 * One process of each service, so that the death of one is felt; two of metrics, which count into the same totals.
 * Leaked references of categories are looked for often, so that their repair can be waited for.
 */
export const singleWith = (receiveTimeoutMs: number): FleetOptions => ({
  replicas: { metrics: 2 },
  env: { SWEEP_EVERY_MS: '1000', RECEIVE_TIMEOUT_MS: String(receiveTimeoutMs) },
});
export const single = singleWith(SHORT_RECEIVE_MS);

/** Two processes of each service, so that one is there while the other is not. */
export const pairs: FleetOptions = {
  replicas: Object.fromEntries(serviceNames.map((name) => [name, 2])),
};

/** Three jobs replicas and three schedulers, as the promise about transitions names them. */
export const triples: FleetOptions = { replicas: { jobs: 3, scheduler: 3 } };
