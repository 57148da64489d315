import { describe, expect, it } from '@jest/globals';
import { refusalOf } from './refusal.ts';

function refusal(status: number, body: unknown) {
  return refusalOf({ status, body, version: undefined, repeated: false });
}

describe('refusalOf', () => {
  it('reads all fields of an error', () => {
    const errors = [
      { pointer: '#/title', code: 'required', detail: 'A job needs a title.' },
      { parameter: 'page', code: 'type', detail: 'Not a number.' },
      { header: 'If-Match', code: 'invalid_value', detail: 'Not an ETag.' },
    ];
    expect(refusal(422, { code: 'validation_failed', detail: 'Broken.', requestId: 'r', errors })).toEqual({
      code: 'validation_failed',
      detail: 'Broken.',
      status: 422,
      requestId: 'r',
      errors,
    });
  });

  it('falls back to the status without a JSON body', () => {
    expect(refusal(502, undefined)).toEqual({
      code: 'http_502',
      detail: 'Status 502.',
      status: 502,
      errors: [],
    });
  });
});
