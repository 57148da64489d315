import { describe, expect, it } from '@jest/globals';
import { hashSecret } from '@joblisting/contracts';
import { credentialsOf } from './credentials.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const none = { consumer: undefined, user: undefined };
const both = { consumer: hashSecret('jlc_a'), user: hashSecret('jlu_b') };

describe('credentialsOf', () => {
  it.each([
    ['POST', { 'consumer-api-key': 'jlc_a', 'user-api-key': 'jlu_b' }, both],
    ['GET', { 'consumer-api-key': 'jlc_a' }, { consumer: both.consumer, user: undefined }],
    ['GET', { 'consumer-api-key': '', 'user-api-key': '' }, none],
    ['GET', { authorization: basic('jlc_a:jlu_b') }, both],
    ['HEAD', { authorization: basic('jlc_a:jlu_b').replace('Basic', 'basic') }, both],
    ['POST', { authorization: basic('jlc_a:jlu_b') }, none],
    ['PUT', { authorization: basic('jlc_a:jlu_b') }, none],
    ['GET', { authorization: basic('jlc_a') }, none],
    ['GET', { authorization: basic('jlc_a:') }, { consumer: both.consumer, user: undefined }],
    ['GET', { authorization: 'Bearer jlc_a' }, none],
    ['GET', { authorization: 'Basic !!!' }, none],
    ['GET', { authorization: basic('x:y'), 'consumer-api-key': 'jlc_a', 'user-api-key': 'jlu_b' }, both],
    ['GET', {}, none],
  ])('%s %j', (method, headers, expected) => {
    expect(credentialsOf(method, headers)).toEqual(expected);
  });

  it('leaves the rest to the password after the first colon', () => {
    const { user } = credentialsOf('GET', { authorization: basic('jlc_a:b:c') });
    expect(user).toBe(hashSecret('b:c'));
  });
});
