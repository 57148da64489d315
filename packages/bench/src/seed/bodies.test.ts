import { describe, expect, it } from '@jest/globals';
import { dateIn } from '@joblisting/testing/system';
import { hasCategories, templateBodies } from './bodies.ts';

describe('templateBodies', () => {
  const bodies = templateBodies(7, 730);
  const dates = bodies.map(({ publishDate }) => String(publishDate));

  it('have publish dates over two years, each day once', () => {
    expect(new Set(dates).size).toBe(730);
    expect(dates[0]).toBe(dateIn(-716));
    expect(dates.at(-1)).toBe(dateIn(13));
  });

  it('are about 2 KB, the same in each run', () => {
    const sizes = bodies.map((body) => JSON.stringify(body).length);
    expect(Math.min(...sizes)).toBeGreaterThan(1500);
    expect(Math.max(...sizes)).toBeLessThan(2600);
    expect(templateBodies(7, 730)).toEqual(bodies);
  });

  it('have categories in every second body', () => {
    expect(
      bodies.every(({ categories }, index) => (categories as []).length === (hasCategories(index) ? 2 : 0)),
    ).toBe(true);
  });
});
