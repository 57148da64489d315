import { type FleetOptions, serviceNames } from '@joblisting/testing/system';

/** Time-out for receiving a request; short, so that tests of slow clients end soon. */
export const SHORT_RECEIVE_MS = 2000;

/**
 * One process of each service, so that a kill causes an outage; two of metrics, which share their totals. The sweep of
 * leaked category references runs every second, and 10,000 races leave more categories than a company may have.
 */
export const singleWith = (receiveTimeoutMs: number): FleetOptions => ({
  replicas: { metrics: 2 },
  env: {
    SWEEP_EVERY_MS: '1000',
    MAX_CUSTOM_CATEGORIES: '20000',
    RECEIVE_TIMEOUT_MS: String(receiveTimeoutMs),
  },
});
export const single = singleWith(SHORT_RECEIVE_MS);

/** Two processes of each service. */
export const pairs: FleetOptions = {
  replicas: Object.fromEntries(serviceNames.map((name) => [name, 2])),
};

/** Three jobs replicas and three schedulers, as in the promise about transitions. */
export const triples: FleetOptions = { replicas: { jobs: 3, scheduler: 3 } };
