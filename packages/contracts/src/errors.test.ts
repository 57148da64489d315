import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, errorCodes, isNotExecuted, ServiceError } from './errors.ts';

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

describe('isNotExecuted', () => {
  it.each(Object.keys(errorCodes) as ErrorCode[])('%s', (code) => {
    expect(isNotExecuted(new ServiceError(code))).toBe(code === 'overloaded' || code === 'unavailable');
  });

  it('is false for other errors', () => {
    expect(isNotExecuted(new Error('unavailable'))).toBe(false);
  });
});
