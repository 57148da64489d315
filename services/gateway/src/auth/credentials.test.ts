import { describe, expect, it } from '@jest/globals';
import { hashSecret, withChecksum } from '@joblisting/contracts';
import { type Credentials, credentialsOf, keyFaultOf } from './credentials.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const [consumer, otherConsumer] = ['a', 'b'].map((each) => withChecksum(`jlc_${each.repeat(32)}`)) as [
  string,
  string,
];
const [user, otherUser] = ['a', 'b'].map((each) => withChecksum(`jlu_${each.repeat(32)}`)) as [
  string,
  string,
];
const both = { consumer: hashSecret(consumer), user: hashSecret(user) };
const alone = { consumer: both.consumer, user: null };

const hashesOf = (credentials: Credentials | undefined) =>
  credentials && { consumer: credentials.consumer(), user: credentials.user() };

describe('credentialsOf', () => {
  it.each([
    ['POST', { 'consumer-api-key': consumer, 'user-api-key': user }, both, alone],
    ['GET', { 'consumer-api-key': consumer }, undefined, alone],
    ['GET', { 'user-api-key': user }, undefined, undefined],
    ['GET', { 'consumer-api-key': '', 'user-api-key': '' }, undefined, undefined],
    ['GET', { authorization: basic(`${consumer}:${user}`) }, both, alone],
    ['HEAD', { authorization: basic(`${consumer}:${user}`).replace('Basic', 'basic') }, both, alone],
    ['POST', { authorization: basic(`${consumer}:${user}`) }, undefined, undefined],
    ['PUT', { authorization: basic(`${consumer}:${user}`) }, undefined, undefined],
    ['GET', { authorization: basic(consumer) }, undefined, undefined],
    ['GET', { authorization: basic(`${consumer}:`) }, undefined, alone],
    ['GET', { authorization: `Bearer ${consumer}` }, undefined, undefined],
    ['GET', { authorization: 'Basic !!!' }, undefined, undefined],
    ['GET', { authorization: basic('x:y'), 'consumer-api-key': consumer, 'user-api-key': user }, both, alone],
    ['GET', {}, undefined, undefined],
  ])('%s %j', (method, headers, asKeys, asConsumer) => {
    expect(hashesOf(credentialsOf(method, headers, 'keys'))).toEqual(asKeys);
    expect(hashesOf(credentialsOf(method, headers, 'consumer'))).toEqual(asConsumer);
  });

  const mistyped = (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`;
  it.each([
    ['a wrong checksum of the consumer key', mistyped(consumer), user, false],
    ['a wrong checksum of the user key', consumer, mistyped(user), true],
    ['a user key for the consumer key', otherUser, user, false],
    ['a consumer key for the user key', consumer, otherConsumer, true],
    ['a key sent twice', `${consumer}, ${consumer}`, user, false],
    ['more after the user key', consumer, `${user}:c`, true],
  ])('undefined for %s', (_what, sentConsumer, sentUser, isGoodAlone) => {
    const headers = { 'consumer-api-key': sentConsumer, 'user-api-key': sentUser };
    expect(credentialsOf('GET', headers, 'keys')).toBeUndefined();
    expect(credentialsOf('GET', headers, 'consumer') !== undefined).toBe(isGoodAlone);
  });

  it.each([
    [{}, 'consumer missing, user missing'],
    [{ 'consumer-api-key': consumer }, 'user missing'],
    [{ 'consumer-api-key': mistyped(consumer), 'user-api-key': user }, 'consumer malformed'],
    [{ 'consumer-api-key': user, 'user-api-key': '' }, 'consumer malformed, user missing'],
  ])('keyFaultOf %j names what is wrong with each key', (headers, fault) => {
    expect(keyFaultOf('GET', headers, 'keys')).toBe(fault);
  });

  it('has the same id for the same keys, however they are sent, and another one for any others', () => {
    const idOf = (one: string, other: string, keys: 'keys' | 'consumer' = 'keys') =>
      credentialsOf('GET', { 'consumer-api-key': one, 'user-api-key': other }, keys)?.id;
    expect(credentialsOf('GET', { authorization: basic(`${consumer}:${user}`) }, 'keys')?.id).toBe(
      idOf(consumer, user),
    );
    const ids = [
      idOf(consumer, user),
      idOf(consumer, user, 'consumer'),
      idOf(otherConsumer, user),
      idOf(consumer, otherUser),
      idOf(otherConsumer, user, 'consumer'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
