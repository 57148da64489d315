import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { checkSecret } from '@joblisting/contracts';
import { newSecret } from './secret.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const kind = fc.constantFrom('consumer' as const, 'user' as const);
const letter = fc.constantFrom(...Array.from('0123456789ABCXYZabcxyz_- '));

describe('checkSecret', () => {
  it('knows a secret, and no text that differs from it in a character', () => {
    fc.assert(
      fc.property(kind, fc.nat(41), letter, (each, at, other) => {
        const secret = newSecret(each);
        expect(checkSecret(secret)).toBe(each);
        const changed = secret.slice(0, at) + other + secret.slice(at + 1);
        if (changed !== secret) expect(checkSecret(changed)).toBeUndefined();
        expect(checkSecret(secret.slice(0, at))).toBeUndefined();
        expect(checkSecret(secret + other)).toBeUndefined();
      }),
    );
  });

  it('knows no text by chance', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => checkSecret(text) === undefined));
  });
});
