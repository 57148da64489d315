import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { NOT_MODIFIED } from '../http/etag.ts';
import type { QueryEntry } from '../http/query.ts';
import { LARGE_BYTES } from './large-transfers.ts';

const JOBS_OF_A_PLACE = 100;
const MOST_PLACES = 16;
/** Bounds the remembered jobs; the least recently read one is dropped. */
const REMEMBERED = 10_000;

/**
 * The places that a request takes. A page of 1,000 jobs, or 4 MiB of body and answer, keeps the services busy for about
 * as long as ten reads of one job do.
 */
export function weightOf(pageSize: number, bytes: number): number {
  const more = Math.floor(pageSize / JOBS_OF_A_PLACE) + Math.floor(bytes / LARGE_BYTES);
  return Math.min(MOST_PLACES, 1 + more);
}

/** Weighs requests by what they ask for and bring along, and those for one job by how large it was the last time. */
export function weigher() {
  const largeJobs = new LRUCache<number, number>({ max: REMEMBERED });

  /** The size of the answer to a request for one job the last time, where that was large; else 0. */
  const sizeOf = (request: FastifyRequest): number => largeJobs.get(jobIn(request)) ?? 0;

  return {
    of: (request: FastifyRequest, bodyBytes: number): number =>
      weightOf(pageSizeOf(request), bodyBytes + sizeOf(request)),
    /** Remembers the size of a job's answer. Returns how many bytes the service read: for a 304 the whole job. */
    remember: (request: FastifyRequest, status: number, bytes: number): number => {
      if (status === NOT_MODIFIED) return sizeOf(request);
      const { jobId, error } = request.state;
      if (jobId === undefined || error) return bytes;
      if (bytes >= LARGE_BYTES) largeJobs.set(jobId, bytes);
      else largeJobs.delete(jobId);
      return bytes;
    },
  };
}

/** The job that the path names, before the path was checked. */
const jobIn = ({ params, routeOptions }: FastifyRequest): number =>
  routeOptions.config.owner === 'jobs' ? Number((params as { readonly id?: string }).id) : Number.NaN;

/** The pageSize of the query; 0 where there is none, or one that will be refused. */
function pageSizeOf({ query }: FastifyRequest): number {
  const sent = (query as QueryEntry[]).find(({ name }) => name === 'pageSize')?.value;
  return Math.max(0, Number(sent ?? 0)) || 0;
}
