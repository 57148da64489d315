import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { NOT_MODIFIED } from '../http/etag.ts';
import type { QueryEntry } from '../http/query.ts';
import { LARGE_BYTES } from './large-transfers.ts';

const JOBS_OF_A_PLACE = 100;
const MOST_PLACES = 16;
/** Bounds the remembered jobs and files; the least recently read one is dropped. */
const REMEMBERED = 10_000;

/**
 * The places that a request takes. A page of 1,000 jobs, or 4 MiB of body and answer, keeps the services busy for about
 * as long as ten reads of one job do.
 */
export function weightOf(pageSize: number, bytes: number, bytesOfAPlace = LARGE_BYTES): number {
  const more = Math.floor(pageSize / JOBS_OF_A_PLACE) + Math.floor(bytes / bytesOfAPlace);
  return Math.min(MOST_PLACES, 1 + more);
}

/** Weighs requests by what they ask for and bring along, and those for one job or file by how large it was last time. */
export function weigher() {
  const large = new LRUCache<Resource, number>({ max: REMEMBERED });

  /** The size of the answer to a request for one job or file the last time, where that was large; else 0. */
  const sizeOf = (request: FastifyRequest): number => {
    const resource = resourceIn(request);
    return resource === undefined ? 0 : (large.get(resource) ?? 0);
  };

  return {
    of: (request: FastifyRequest, bodyBytes: number): number =>
      weightOf(pageSizeOf(request), bodyBytes + sizeOf(request), request.routeOptions.config.bytesOfAPlace),
    /** Remembers the size of an answer with a job or a file. Returns how many bytes the service read: for a 304 all of it. */
    remember: (request: FastifyRequest, status: number, bytes: number): number => {
      if (status === NOT_MODIFIED) return sizeOf(request);
      const resource = resourceIn(request);
      if (resource === undefined || request.state.error) return bytes;
      if (bytes >= LARGE_BYTES) large.set(resource, bytes);
      else large.delete(resource);
      return bytes;
    },
  };
}

/** A job by its id, a file by the ids of its application and its own. */
type Resource = number | string;

/** The job that the request writes, or the job or file that its path names, before the path was checked. */
function resourceIn({ params, routeOptions, state }: FastifyRequest): Resource | undefined {
  const { id, fileId } = params as { readonly id?: string; readonly fileId?: string };
  if (fileId !== undefined) return `${id}/${fileId}`;
  if (routeOptions.config.owner !== 'jobs') return undefined;
  return state.jobId ?? (id === undefined ? undefined : Number(id));
}

/** The page size in the query; 0 where there is none, or one that will be refused. */
function pageSizeOf({ query, routeOptions }: FastifyRequest): number {
  // Lists that are read by cursors name it `limit`. Elsewhere that is an unknown parameter.
  const hasLimit = routeOptions.config.owner === 'events';
  const sizes = (query as QueryEntry[])
    .filter(({ name }) => name === 'pageSize' || (hasLimit && name === 'limit'))
    .map(({ value }) => Number(value ?? 0) || 0);
  return Math.max(0, ...sizes);
}
