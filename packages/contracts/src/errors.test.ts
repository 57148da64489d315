import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, errorCodes, isNotExecuted, ServiceError } from './errors.ts';

describe('isNotExecuted', () => {
  it.each(Object.keys(errorCodes) as ErrorCode[])('%s', (code) => {
    expect(isNotExecuted(new ServiceError(code))).toBe(code === 'overloaded' || code === 'unavailable');
  });

  it('is false for other errors', () => {
    expect(isNotExecuted(new Error('unavailable'))).toBe(false);
  });
});
