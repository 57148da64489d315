import { describe, expect, it } from '@jest/globals';
import { JSON_TYPE, PROBLEM_TYPE } from './headers.ts';
import { errorTypeFor } from './problem.ts';

describe('errorTypeFor', () => {
  it.each([
    [undefined, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['text/html', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['application/problem+json', PROBLEM_TYPE],
    ['Application/Problem+JSON', PROBLEM_TYPE],
    ['application/json, application/problem+json', PROBLEM_TYPE],
    ['application/json;q=0.5, application/problem+json;q=0.9', PROBLEM_TYPE],
    ['application/json, application/problem+json;q=0.5', JSON_TYPE],
    ['application/problem+json;q=0', JSON_TYPE],
    ['application/problem+json;q=x', JSON_TYPE],
    ['application/problem+jsonx', JSON_TYPE],
  ])('%j: %s', (accept, expected) => {
    expect(errorTypeFor(accept)).toBe(expected);
  });
});
