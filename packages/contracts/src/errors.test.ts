import { describe, expect, it } from '@jest/globals';
import {
  type ErrorCode,
  errorCodes,
  isNotExecuted,
  refuseInvalid,
  ServiceError,
  type Violation,
} from './errors.ts';

describe('the detail of an error without its own', () => {
  const words = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, ' ')
      .trim();

  it.each(Object.keys(errorCodes) as ErrorCode[])('says more than the title of %s', (code) => {
    const { message } = new ServiceError(code);
    expect(words(errorCodes[code].title)).not.toContain(words(message));
    expect(message).toMatch(/\.$/);
  });
});

describe('refuseInvalid', () => {
  it.each([
    [1, 'One rule is broken; see "errors".'],
    [50, '50 rules are broken; see "errors".'],
    [51, 'More than 50 rules are broken; "errors" lists the first 50.'],
  ])('says how many of %d', (count, message) => {
    const violation: Violation = { pointer: '#/title', code: 'required', detail: 'title is required.' };
    const violations = Array.from({ length: count }, () => violation);
    expect(() => refuseInvalid(violations)).toThrow(message);
  });
});

describe('isNotExecuted', () => {
  it.each(Object.keys(errorCodes) as ErrorCode[])('%s', (code) => {
    expect(isNotExecuted(new ServiceError(code))).toBe(code === 'overloaded' || code === 'unavailable');
  });

  it('is false for other errors', () => {
    expect(isNotExecuted(new Error('unavailable'))).toBe(false);
  });
});
