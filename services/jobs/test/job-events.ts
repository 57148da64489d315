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

/** Hears every event of jobs from the beginning of the stream. */
export function hearJobEvents(bus: Bus) {
  const heard: JobEvent[] = [];
  const listening = [jobCreated, jobUpdated, jobPublished, jobClosed, jobDeleted].map((event) => {
    const kind = event.subject.split('.').at(-1) ?? '';
    return bus.consume(event, {
      durable: `test-${kind}`,
      batch: 100,
      handle: async (payloads) => void heard.push(...payloads.map((payload) => ({ ...payload, kind }))),
      onError: () => undefined,
    });
  });

  /** Those of one job by version. An event that came twice is there twice. */
  const of = (id: number) =>
    heard.filter(({ jobId }) => jobId === id).toSorted((one, other) => one.version - other.version);

  return {
    of,
    /** Waits for as many. Resolves to `[kind, version, statusId]` of each. */
    arrived: async (id: number, count: number) => {
      await waitFor(() => of(id).length >= count, { what: `${count} events of job ${id}` });
      return of(id).map(({ kind, version, statusId }) => [kind, version, statusId]);
    },
    stop: () => Promise.all(listening.map((consuming) => consuming.stop())),
  };
}
