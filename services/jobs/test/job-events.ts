import type { Bus } from '@joblisting/bus';
import {
  type JobChanged,
  jobClosed,
  jobCreated,
  jobDeleted,
  jobPublished,
  jobUpdated,
} from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';

export interface JobEvent extends JobChanged {
  readonly kind: string;
}

/** Collects all events of jobs from the start of the stream. */
export function collectJobEvents(bus: Bus) {
  const events: JobEvent[] = [];
  const consumers = [jobCreated, jobUpdated, jobPublished, jobClosed, jobDeleted].map((event) => {
    const kind = event.subject.split('.').at(-1) ?? '';
    return bus.consume(event, {
      durable: `test-${kind}`,
      batch: 100,
      handle: async (payloads) => void events.push(...payloads.map((payload) => ({ ...payload, kind }))),
      onError: () => undefined,
    });
  });

  /** The events of one job by version, with repetitions. */
  const of = (id: number) =>
    events.filter(({ jobId }) => jobId === id).toSorted((one, other) => one.version - other.version);

  return {
    of,
    /** Waits for so many events and resolves to `[kind, version, statusId]` of each. */
    arrived: async (id: number, count: number) => {
      await waitFor(() => of(id).length >= count, { what: `${count} events of job ${id}` });
      return of(id).map(({ kind, version, statusId }) => [kind, version, statusId]);
    },
    stop: () => Promise.all(consumers.map((consuming) => consuming.stop())),
  };
}
