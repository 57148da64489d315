import { describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '@joblisting/contracts';
import { JSON_TYPE, PROBLEM_TYPE } from './headers.ts';
import { errorTypeFor, statusOf } from './problem.ts';

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

describe('statusOf', () => {
  it.each<[ErrorCode, number]>([
    ['malformed_json', 400],
    ['invalid_parameter', 400],
    ['method_override', 400],
    ['unauthenticated', 401],
    ['scope_missing', 403],
    ['company_forbidden', 403],
    ['system_category', 403],
    ['path_not_found', 404],
    ['job_not_found', 404],
    ['method_not_allowed', 405],
    ['reference_id_taken', 409],
    ['category_assigned', 409],
    ['version_mismatch', 412],
    ['body_too_large', 413],
    ['description_too_large', 413],
    ['unsupported_media_type', 415],
    ['validation_failed', 422],
    ['internal', 500],
    ['overloaded', 503],
    ['unavailable', 503],
    ['deadline_exceeded', 504],
  ])('%s is %d', (code, status) => {
    expect(statusOf(code)).toBe(status);
  });
});
