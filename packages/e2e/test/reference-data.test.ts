import { describe, expect, it } from '@jest/globals';
import { useWorld } from '../src/index.ts';

const world = useWorld();

describe('GET /jobtypes', () => {
  it('lists the fixed types without keys', async () => {
    const { status, headers, json } = await world.anonymous.get('/jobtypes');
    expect(status).toBe(200);
    expect(headers.get('etag')).toBeTruthy();
    expect(json).toEqual({
      data: [
        'Full-time',
        'Part-time',
        'Contract',
        'Temporary',
        'Internship',
        'Volunteer',
        'Per diem',
        'Other',
      ].map((name, index) => ({ id: index + 1, name })),
      warnings: [],
    });
  });
});

describe('GET /countries and /provinces', () => {
  it('lists countries by their ISO numeric code', async () => {
    const { json } = await world.anonymous.get('/countries');
    expect(json.data).toHaveLength(249);
    expect(json.data).toContainEqual({ id: 124, name: 'Canada' });
    const ids = json.data.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
  });

  it('lists the provinces of a country', async () => {
    const { json } = await world.anonymous.get('/provinces?country.id=124');
    expect(json.data).toContainEqual({
      id: 124 * 46_656 + Number.parseInt('ON', 36),
      name: 'Ontario',
      country: { id: 124, name: 'Canada' },
    });
    expect((await world.anonymous.get('/provinces?country.id=99999')).json.data).toEqual([]);
    expect((await world.anonymous.get('/provinces')).status).toBe(400);
  });
});
