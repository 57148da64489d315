import { describe, expect, it } from '@jest/globals';
import { pathOf } from './path.ts';

describe('pathOf', () => {
  it.each([
    ['/v1.0/jobs', '/v1.0/jobs'],
    ['/v1.0/jobs?page=1', '/v1.0/jobs'],
    ['http://other.example/v1.0/jobs/9?x', '/v1.0/jobs/9'],
    ['HTTPS://other.example', '/'],
  ])('of %s is %s', (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});
