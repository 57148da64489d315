import { describe, expect, it } from '@jest/globals';
import { hashSecret } from '@joblisting/contracts';
import { type Credentials, credentialsOf } from './credentials.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const both = { consumer: hashSecret('jlc_a'), user: hashSecret('jlu_b') };
const alone = { consumer: both.consumer, user: null };

const hashesOf = (credentials: Credentials | undefined) =>
  credentials && { consumer: credentials.consumer(), user: credentials.user() };

describe('credentialsOf', () => {
  it.each([
    ['POST', { 'consumer-api-key': 'jlc_a', 'user-api-key': 'jlu_b' }, both, alone],
    ['GET', { 'consumer-api-key': 'jlc_a' }, undefined, alone],
    ['GET', { 'user-api-key': 'jlu_b' }, undefined, undefined],
    ['GET', { 'consumer-api-key': '', 'user-api-key': '' }, undefined, undefined],
    ['GET', { authorization: basic('jlc_a:jlu_b') }, both, alone],
    ['HEAD', { authorization: basic('jlc_a:jlu_b').replace('Basic', 'basic') }, both, alone],
    ['POST', { authorization: basic('jlc_a:jlu_b') }, undefined, undefined],
    ['PUT', { authorization: basic('jlc_a:jlu_b') }, undefined, undefined],
    ['GET', { authorization: basic('jlc_a') }, undefined, undefined],
    ['GET', { authorization: basic('jlc_a:') }, undefined, alone],
    ['GET', { authorization: 'Bearer jlc_a' }, undefined, undefined],
    ['GET', { authorization: 'Basic !!!' }, undefined, undefined],
    [
      'GET',
      { authorization: basic('x:y'), 'consumer-api-key': 'jlc_a', 'user-api-key': 'jlu_b' },
      both,
      alone,
    ],
    ['GET', {}, undefined, undefined],
  ])('%s %j', (method, headers, asKeys, asConsumer) => {
    expect(hashesOf(credentialsOf(method, headers, 'keys'))).toEqual(asKeys);
    expect(hashesOf(credentialsOf(method, headers, 'consumer'))).toEqual(asConsumer);
  });

  it('leaves the rest to the password after the first colon', () => {
    const credentials = credentialsOf('GET', { authorization: basic('jlc_a:b:c') }, 'keys');
    expect(credentials?.user()).toBe(hashSecret('b:c'));
  });

  it('has the same id for the same keys, however they are sent, and another one for any others', () => {
    const idOf = (consumer: string, user: string, keys: 'keys' | 'consumer' = 'keys') =>
      credentialsOf('GET', { 'consumer-api-key': consumer, 'user-api-key': user }, keys)?.id;
    expect(credentialsOf('GET', { authorization: basic('jlc_a:jlu_b') }, 'keys')?.id).toBe(
      idOf('jlc_a', 'jlu_b'),
    );
    const ids = [
      idOf('jlc_a', 'jlu_b'),
      idOf('jlc_a', 'jlu_b', 'consumer'),
      idOf('jlc_aj', 'lu_b'),
      idOf('jlc_ajlu_b', 'x', 'consumer'),
      idOf('jlu_b', 'jlc_a'),
      idOf('1 a', 'b'),
      idOf('1', ' ab'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
