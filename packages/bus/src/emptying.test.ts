import { describe, expect, it } from '@jest/globals';
import { mostGrownOld } from '@joblisting/testing';
import { emptyingMap, emptyingSet } from './emptying.ts';

const MB = 1024 * 1024;
const AT_ONCE = 32;

/** As much as a request holds. An array: V8 may put objects of a literal into the old generation by itself. */
type Load = readonly number[];

/** What passing 16 MB through, 4 KB at a time, leaves in the old generation at most. */
function mostLeft(
  add: (load: Load, number: number) => void,
  remove: (load: Load, number: number) => void,
): Promise<number> {
  const underWay: (Load | undefined)[] = [];
  let number = 0;
  const pass = (): void => {
    const load = Array.from({ length: 512 }, () => number);
    const first = underWay[number % AT_ONCE];
    if (first) remove(first, number - AT_ONCE);
    underWay[number % AT_ONCE] = load;
    add(load, number++);
  };
  const passSome = (many: number): void => {
    for (let count = 0; count < many; count++) pass();
  };
  passSome(AT_ONCE);
  return mostGrownOld(64, () => passSome(64));
}

describe('emptyingMap', () => {
  it('is a map', () => {
    const [one, other, two] = [{ id: 1 }, { id: 11 }, { id: 2 }];
    const map = emptyingMap<string, { id: number }>();
    map.set('one', one);
    map.set('two', two);
    map.set('one', other);
    expect([map.get('one'), map.get('two'), map.get('three')]).toEqual([other, two, undefined]);
    expect([[...map], map.size()]).toEqual([
      [
        ['one', other],
        ['two', two],
      ],
      2,
    ]);
    expect([map.take('one'), map.take('one'), map.get('one')]).toEqual([other, undefined, undefined]);
    expect([[...map], map.size()]).toEqual([[['two', two]], 1]);
  });

  it('may be changed while it is gone through', () => {
    const map = emptyingMap<number, object>();
    for (let count = 0; count < 5; count++) map.set(count, { count });
    for (const [key, value] of map) expect(map.take(key)).toBe(value);
    expect(map.size()).toBe(0);
  });

  it('holds nothing of what has been deleted, unlike a Map', async () => {
    const map = emptyingMap<number, Load>();
    const ofAll = await mostLeft(
      (load, number) => map.set(number, load),
      (_load, number) => map.take(number),
    );
    const plain = new Map<number, Load>();
    const ofPlain = await mostLeft(
      (load, number) => plain.set(number, load),
      (_load, number) => plain.delete(number),
    );
    expect(ofAll).toBeLessThan(2 * MB);
    // Once this fails, a plain one will do again.
    expect(ofPlain).toBeGreaterThan(8 * MB);
  });
});

describe('emptyingSet', () => {
  it('is a set of objects', () => {
    const [one, two, three] = [{ id: 1 }, { id: 2 }, { id: 3 }];
    const set = emptyingSet<{ id: number }>();
    for (const item of [one, two, three, one]) set.add(item);
    expect([...set]).toEqual([one, two, three]);
    expect([set.delete(one), set.delete(one), set.size()]).toEqual([true, false, 2]);
    expect([...set]).toEqual([three, two]);
    set.add(one);
    expect([set.delete(one), set.delete(two), set.delete(three), set.size()]).toEqual([true, true, true, 0]);
  });

  it('may be changed while it is gone through', () => {
    const set = emptyingSet<object>();
    for (let count = 0; count < 5; count++) set.add({ count });
    for (const item of set) expect(set.delete(item)).toBe(true);
    expect(set.size()).toBe(0);
  });

  it('knows what is in it after it was cleared', () => {
    const [one, two] = [{ id: 1 }, { id: 2 }];
    const set = emptyingSet<object>();
    set.add(one);
    set.clear();
    expect([set.delete(one), set.size()]).toEqual([false, 0]);
    set.add(two);
    set.add(one);
    expect([...set]).toEqual([two, one]);
  });

  it('has a place of its own for an item that is in another set', () => {
    const [one, two] = [{ id: 1 }, { id: 2 }];
    const [set, other] = [emptyingSet<object>(), emptyingSet<object>()];
    set.add(one);
    set.add(two);
    other.add(two);
    expect([other.delete(two), set.delete(two), set.delete(one)]).toEqual([true, true, true]);
  });

  it('holds nothing of what has been deleted, unlike a Set', async () => {
    const set = emptyingSet<Load>();
    const ofAll = await mostLeft(set.add, set.delete);
    const plain = new Set<Load>();
    const ofPlain = await mostLeft(
      (load) => plain.add(load),
      (load) => plain.delete(load),
    );
    expect(ofAll).toBeLessThan(2 * MB);
    // Once this fails, a plain one will do again.
    expect(ofPlain).toBeGreaterThan(8 * MB);
  });
});
