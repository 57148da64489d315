import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dateIn, jobBody, makeWorld, sharedSystem, useWorld, type World } from '../../src/index.ts';

const shared = useWorld();
let world: World;
const list = (query = '') => world.api.get(`/jobs?company.id=${world.companyId}${query}`);

beforeAll(async () => {
  world = await makeWorld(sharedSystem());
  const bodies = [
    { title: 'old', publishDate: dateIn(-30) },
    { title: 'new', publishDate: dateIn(-1) },
    { title: 'newer, same day', publishDate: dateIn(-1) },
    { title: 'pending', publishDate: dateIn(10), closeDate: null },
    { title: 'closed', publishDate: dateIn(-50), closeDate: dateIn(-10) },
  ];
  for (const body of bodies) await world.api.post('/jobs', jobBody(world.companyId, body));
}, 60_000);

afterAll(() => world.operator.close());

describe('GET /jobs › 200', () => {
  it('lists headers, newest displayDate first, then highest id', async () => {
    const { status, json } = await list();
    expect(status).toBe(200);
    expect(json.data.map(({ title }: { title: string }) => title)).toEqual([
      'pending',
      'newer, same day',
      'new',
      'closed',
      'old',
    ]);
    expect(json.paging).toEqual({ total: 5, pageSize: 50, page: 1, pages: 1, previous: null, next: null });
    expect(json.warnings).toEqual([]);
    expect(Object.keys(json.data[0]).toSorted()).toEqual(
      [
        'id',
        'referenceId',
        'company',
        'employer',
        'title',
        'displayDate',
        'city',
        'province',
        'status',
        'viewCount',
        'applicationCount',
        'clickThroughCount',
      ].toSorted(),
    );
  });

  it.each([
    [1, 3],
    [2, 1],
    [3, 1],
    [5, 0],
  ])('with status.id=%i has a total of %i', async (id, total) => {
    const { json } = await list(`&status.id=${id}`);
    expect(json.paging.total).toBe(total);
    expect(json.data).toHaveLength(total);
  });

  it('with referenceId finds the one job that has it', async () => {
    const body = jobBody(world.companyId, {
      title: 'closed',
      publishDate: dateIn(-50),
      closeDate: dateIn(-10),
    });
    const other = await world.api.put('/jobs', { ...body, referenceId: 'a/ä +1' });
    const { status, json } = await list(`&referenceId=${encodeURIComponent('a/ä +1')}&x=1`);
    expect([status, json.paging]).toEqual([
      200,
      { total: 1, pageSize: 50, page: 1, pages: 1, previous: null, next: null },
    ]);
    expect(json.data).toMatchObject([{ id: other.json.data.id, referenceId: 'a/ä +1' }]);
    await world.api.delete(`/jobs/${other.json.data.id}`);
    expect((await list(`&referenceId=${encodeURIComponent('a/ä +1')}`)).json.data).toEqual([]);
  });

  it('pages, with addresses that keep the other parameters', async () => {
    const { json } = await list('&pageSize=2&page=2&status.id=1&x=1');
    expect(json.paging).toMatchObject({ total: 3, pageSize: 2, page: 2, pages: 2, next: null });
    const previous = new URL(json.paging.previous);
    expect(previous.origin + previous.pathname).toBe(`${world.origin}/v1.0/jobs`);
    expect(Object.fromEntries(previous.searchParams)).toMatchObject({
      'company.id': String(world.companyId),
      pageSize: '2',
      page: '1',
      'status.id': '1',
    });
    expect(json.warnings).toEqual([expect.objectContaining({ parameter: 'x' })]);
  });

  it('reaches all pages by next', async () => {
    const seen: number[] = [];
    let next: string | null = `${world.origin}/v1.0/jobs?company.id=${world.companyId}&pageSize=2`;
    while (next !== null) {
      const { json } = await world.api.send(next);
      seen.push(...json.data.map(({ id }: { id: number }) => id));
      next = json.paging.next;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
  });

  it('past the end is empty, with the last page as previous', async () => {
    const { status, json } = await list('&pageSize=2&page=9');
    expect(status).toBe(200);
    expect(json.data).toEqual([]);
    expect(json.paging).toMatchObject({ page: 9, pages: 3, next: null });
    expect(new URL(json.paging.previous).searchParams.get('page')).toBe('3');
  });

  it('of a company without jobs has no pages', async () => {
    const { json } = await world.otherApi.get(`/jobs?company.id=${world.otherCompanyId}`);
    expect(json.paging).toEqual({ total: 0, pageSize: 50, page: 1, pages: 0, previous: null, next: null });
  });
});

describe('GET /jobs › 400', () => {
  it.each([
    ['', 'company.id'],
    ['?company.id=abc', 'company.id'],
    ['?company.id=1&company.id=2', 'company.id'],
    ['?company.id=1&status.id=4', 'status.id'],
    ['?company.id=1&pageSize=0', 'pageSize'],
    ['?company.id=1&pageSize=1001', 'pageSize'],
    ['?company.id=1&page=0', 'page'],
    ['?company.id=1&page=1.5', 'page'],
    ['?company.id=1&page=99999999999', 'page'],
  ])('for %s', async (query, parameter) => {
    const { status, json } = await shared.api.get(`/jobs${query}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([expect.objectContaining({ parameter })]);
  });

  it('names all wrong parameters', async () => {
    const { json } = await shared.api.get('/jobs?pageSize=x&page=y');
    expect(json.errors.map((error: { parameter: string }) => error.parameter).toSorted()).toEqual([
      'company.id',
      'page',
      'pageSize',
    ]);
  });
});

describe('GET /jobs › 403', () => {
  it('for a company that is not granted', async () => {
    expect((await shared.api.get(`/jobs?company.id=${shared.otherCompanyId}`)).status).toBe(403);
  });
});
