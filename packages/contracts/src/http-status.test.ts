import { describe, expect, it } from '@jest/globals';
import type { ErrorCode } from './errors.ts';
import { statusOf } from './http-status.ts';

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
