import { mongo } from 'mongoose';

/** An element of a document in its bytes: the kind of its value, place and length of its name, place and length of its value. */
type Element = readonly [kind: number, nameAt: number, nameLength: number, at: number, length: number];

/** Kinds of values (BSON specification 1.1). */
const kind = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  boolean: 8,
  date: 9,
  null: 10,
  int: 16,
} as const;

/** A field as it stood at its place in the last document, and the fields of what it held. */
interface KnownField {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly inner: KnownField[];
}

type Read = (bytes: Uint8Array) => object;

/** Where a string begins in its value, behind its length, and how many bytes stand around it. */
const LENGTH_BYTES = 4;
const END_BYTES = 1;

/**
 * Reads documents of one kind like the driver does, which reads those that hold other than JSON's values and dates. Most have
 * the same fields in the same order: what a field is called is looked up by the place where it stood in the last one.
 * The driver makes a new text of each name, and V8 then looks whether it knows it.
 *
 * Worth: 2.5 of the 7 µs that a job takes in a loop, where all is warm.
 */
export function documentReader(readAny: Read): Read {
  const { onDemand } = mongo.BSON;
  const { toUTF8 } = onDemand.ByteUtils;
  const { getInt32LE, getFloat64LE, getBigInt64LE } = onDemand.NumberUtils;
  const elementsAt = onDemand.parseToElements as (bytes: Uint8Array, at: number) => readonly Element[];
  const unreadable = new Error('a value that only the driver reads');

  const fieldAt = (bytes: Uint8Array, element: Element, known: KnownField[], place: number): KnownField => {
    const [, nameAt, length] = element;
    const last = known[place];
    if (last && isNamed(last, bytes, nameAt, length)) return last;
    const name = toUTF8(bytes, nameAt, nameAt + length, false);
    if (name === '__proto__' || name.startsWith('$')) throw unreadable;
    // A copy: a part would keep the whole reply that it came in.
    const copy = Uint8Array.from(bytes.subarray(nameAt, nameAt + length));
    return (known[place] = { name, bytes: copy, inner: [] });
  };

  const objectAt = (bytes: Uint8Array, at: number, known: KnownField[]): object => {
    const object: Record<string, unknown> = {};
    const elements = elementsAt(bytes, at);
    for (let place = 0; place < elements.length; place++) {
      const element = elements[place] as Element;
      const { name, inner } = fieldAt(bytes, element, known, place);
      object[name] = valueOf(bytes, element, inner);
    }
    return object;
  };

  const valueOf = (bytes: Uint8Array, [is, , , at, length]: Element, known: KnownField[]): unknown => {
    switch (is) {
      case kind.string:
        return toUTF8(bytes, at + LENGTH_BYTES, at + length - END_BYTES, false);
      case kind.int:
        return getInt32LE(bytes, at);
      case kind.null:
        return null;
      case kind.date:
        return new Date(Number(getBigInt64LE(bytes, at)));
      case kind.object:
        return objectAt(bytes, at, known);
      case kind.array:
        return elementsAt(bytes, at).map((element) => valueOf(bytes, element, known));
      case kind.double:
        return getFloat64LE(bytes, at);
      case kind.boolean:
        return bytes[at] === 1;
      default:
        throw unreadable;
    }
  };

  const fields: KnownField[] = [];
  return (bytes) => {
    try {
      return objectAt(bytes, 0, fields);
    } catch (error) {
      if (error === unreadable) return readAny(bytes);
      throw error;
    }
  };
}

function isNamed({ bytes }: KnownField, within: Uint8Array, at: number, length: number): boolean {
  if (bytes.length !== length) return false;
  for (let index = 0; index < length; index++) if (bytes[index] !== within[at + index]) return false;
  return true;
}
