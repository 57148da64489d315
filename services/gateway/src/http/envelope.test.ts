import { describe, expect, it } from '@jest/globals';
import type { Warning } from '@joblisting/contracts';
import { envelope, envelopeInBytes } from './envelope.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const warning: Warning = { code: 'unknown_field', detail: 'Ärger', pointer: '#/x' };

describe('envelope', () => {
  it.each([10, 100_000])('keeps every character of %d bytes and more', (bytesAtLeast) => {
    const data = JSON.stringify('aé☃𝒳'.repeat(bytesAtLeast / 10));
    expect(envelope(bytes(data), [], undefined).toString()).toBe(`{"data":${data},"warnings":[]}`);
  });

  it('puts data between its brackets, byte for byte', () => {
    expect(envelope(bytes('{"a": 1}'), [], undefined).toString()).toBe('{"data":{"a": 1},"warnings":[]}');
  });

  it('is JSON without data too', () => {
    expect(envelope(bytes(''), [], undefined).toString()).toBe('{"data":null,"warnings":[]}');
  });

  it('adds warnings, at most 50', () => {
    const sixty = Array.from({ length: 60 }, () => warning);
    const text = envelope(bytes('[]'), sixty, undefined).toString();
    expect(JSON.parse(text)).toEqual({ data: [], warnings: sixty.slice(0, 50) });
  });

  it('puts paging first', () => {
    const paging = { total: 0, pageSize: 50, page: 1, pages: 0, previous: null, next: null };
    const text = envelope(bytes('[]'), [], paging).toString();
    expect(Object.keys(JSON.parse(text))).toEqual(['paging', 'data', 'warnings']);
  });
});

describe('envelopeInBytes', () => {
  const written = (body: string | Buffer) => (typeof body === 'string' ? Buffer.from(body, 'latin1') : body);

  it.each([0, 10, 100_000])(
    'is what the envelope is, once it is written: %d bytes and more',
    (bytesAtLeast) => {
      const data = bytesAtLeast === 0 ? bytes('') : bytes(JSON.stringify('aé☃𝒳'.repeat(bytesAtLeast / 10)));
      for (const warnings of [[], [warning], Array.from({ length: 60 }, () => warning)]) {
        const body = envelopeInBytes(data, warnings);
        expect(written(body).toString()).toBe(envelope(data, warnings, undefined).toString());
        expect(body).toHaveLength(written(body).length);
      }
    },
  );
});
