import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { parseQuery, type QueryEntry } from '../http/query.ts';
import { weigher, weightOf } from './weight.ts';

describe('weightOf', () => {
  const KIB = 1024;
  it.each([
    ['a read', 0, 0, 1],
    ['a page of 50', 50, 0, 1],
    ['a page of 100', 100, 0, 2],
    ['a page of 1,000', 1000, 0, 11],
    ['a small body', 0, 20 * KIB, 1],
    ['a body of 256 KiB', 0, 256 * KIB, 2],
    ['a body of 4 MiB', 0, 4096 * KIB, 16],
    ['a page that will be refused', 2_000_000_000, 0, 16],
  ])('%s', (_what, pageSize, bodyBytes, weight) => {
    expect(weightOf(pageSize, bodyBytes)).toBe(weight);
  });
});

describe('weigher', () => {
  const LARGE = 5 * 1024 * 1024;
  /** The parts of a request that are weighed. */
  const requestOf = (owner: string, params: object, state: object = {}, query: QueryEntry[] = []) =>
    ({ params, query, state, routeOptions: { config: { owner } } }) as unknown as FastifyRequest;
  const file = (fileId: string) => requestOf('applications', { id: '7', fileId });

  it.each([
    ['events', 'limit=1000', 11],
    ['events', 'pageSize=1&limit=1000', 11],
    ['events', 'limit=-5', 1],
    ['events', 'limit=all', 1],
    ['events', 'after=1000', 1],
    ['jobs', 'pageSize=1000', 11],
    ['jobs', 'limit=1000', 1],
  ])('weighs a list of %s with %s by its size', (owner, query, weight) => {
    expect(weigher().of(requestOf(owner, {}, {}, parseQuery(query)), 0)).toBe(weight);
  });

  it.each([
    [0, 1],
    [16, 2],
    [80, 6],
    [4096, 16],
  ])('weighs a body of %d KiB as %d where 16 KiB count as one request', (kibibytes, weight) => {
    const { params, query, state } = requestOf('jobs', {});
    const routeOptions = { config: { owner: 'jobs', bytesOfAPlace: 16 * 1024 } };
    const request = { params, query, state, routeOptions } as unknown as FastifyRequest;
    expect(weigher().of(request, kibibytes * 1024)).toBe(weight);
  });

  it('weighs a file by its size the last time, and counts it for a 304', () => {
    const weights = weigher();
    expect(weights.of(file('1'), 0)).toBe(1);
    expect(weights.remember(file('1'), 200, LARGE)).toBe(LARGE);
    expect([weights.of(file('1'), 0), weights.of(file('2'), 0)]).toEqual([16, 1]);
    expect(weights.remember(file('1'), 304, 0)).toBe(LARGE);
    expect(weights.remember(file('2'), 304, 0)).toBe(0);
  });

  it('keeps the size of a job when an application for it is answered', () => {
    const weights = weigher();
    const job = requestOf('jobs', { id: '7' }, { jobId: 7 });
    weights.remember(job, 200, LARGE);
    weights.remember(requestOf('applications', { jobId: '7' }, { jobId: 7 }), 201, 100);
    expect(weights.of(job, 0)).toBe(16);
  });

  it('takes a job written by its referenceId for the same as one read by id', () => {
    const weights = weigher();
    weights.remember(requestOf('jobs', {}, { jobId: 7 }), 200, LARGE);
    expect(weights.of(requestOf('jobs', { id: '7' }), 0)).toBe(16);
  });
});
