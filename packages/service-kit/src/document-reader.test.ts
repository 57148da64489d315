import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { mongo } from 'mongoose';
import { documentReader } from './document-reader.ts';

fc.configureGlobal({ seed: 20_261_124, numRuns: 300 });

const { BSON } = mongo;

/** A reader, and how many documents it has left to the driver. */
function setUp() {
  let left = 0;
  const read = documentReader((bytes) => {
    left++;
    return BSON.deserialize(bytes);
  });
  return { read: (document: object) => read(BSON.serialize(document)), left: () => left };
}

const AT = new Date('2026-03-01T12:00:00Z');
const job = {
  _id: 7,
  title: 'Žofín, gardener',
  closeAt: null,
  publishAt: AT,
  before: new Date(-1),
  half: 0.5,
  isPending: true,
  isGone: false,
  province: { id: 1, country: { id: 124, name: 'Canada' } },
  categories: [
    { id: 1, name: 'Legal' },
    { id: 2, name: 'Science' },
  ],
  typeIds: [1, 2, [3]],
  applicationEmails: [],
  counts: {},
  long: 'x'.repeat(5000),
};

describe('a document', () => {
  it('is read like the driver reads it, the first time and after others', () => {
    const { read, left } = setUp();
    expect(read(job)).toStrictEqual(job);
    expect(read({ ...job, _id: 8, long: 'ž' })).toStrictEqual({ ...job, _id: 8, long: 'ž' });
    expect(left()).toBe(0);
  });

  it('is read where it has other fields than the one before', () => {
    const { read } = setUp();
    const { title: _, ...others } = job;
    const renamed = { ...job, titel: 'x', province: 'none', counts: [1], categories: { id: 1 } };
    for (const each of [job, others, renamed, {}, job]) expect(read(each)).toStrictEqual(each);
  });

  it.each([
    ['a long', () => ({ a: BSON.Long.fromString('9007199254740993') })],
    ['bytes', () => ({ a: { b: [new BSON.Binary(Buffer.from('x'))] } })],
    ['an id', () => ({ a: new BSON.ObjectId() })],
    ['a pattern', () => ({ a: /x/i })],
    ['what looks like a reference', () => ({ a: { $ref: 'jobs', $id: 1 } })],
    ['a name that means something to objects', () => JSON.parse('{"a":{"__proto__":{"b":1}}}') as object],
  ])('with %s in it is left to the driver', (_what, make) => {
    const { read, left } = setUp();
    const document = make();
    read(job);
    expect(read(document)).toStrictEqual(BSON.deserialize(BSON.serialize(document)));
    expect(left()).toBe(1);
    expect(read(job)).toStrictEqual(job);
  });

  it('that is cut off is no document', () => {
    const read = documentReader((bytes) => BSON.deserialize(bytes));
    const bytes = BSON.serialize(job);
    expect(() => read(bytes.subarray(0, bytes.length - 1))).toThrow(BSON.BSONError);
  });

  it('of any content is read like the driver reads it, whatever came before', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'grapheme' }),
        fc.integer(),
        fc.double({ noNaN: true }),
        fc.boolean(),
        fc.constant(null),
        fc.date({ noInvalidDate: true }),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('document'),
      ),
      document: fc.dictionary(fc.stringMatching(/^[a-c$ž]{1,3}$/), tie('value'), { maxKeys: 4 }),
    }));
    const { read } = setUp();
    fc.assert(
      fc.property(value.document as fc.Arbitrary<object>, (document) => {
        expect(read(document)).toStrictEqual(BSON.deserialize(BSON.serialize(document)));
      }),
    );
  });
});
