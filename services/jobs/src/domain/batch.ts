import type { ServiceError, Violation } from '@joblisting/contracts';

/** A violation or a warning. */
interface Pointed {
  readonly pointer?: string;
}

/** An item in which an object has a name twice. It has no properties of its own, which would be unknown fields. */
export class UnreadableItem {
  readonly #error: ServiceError;

  constructor(error: ServiceError) {
    this.#error = error;
  }

  get error(): ServiceError {
    return this.#error;
  }
}

/** `#/items/3/title` leads into item 3, to `#/title` of it. */
const INTO_ITEM = /^#\/items\/(\d+)((?:\/.*)?)$/;

/**
 * What was found in a batch, by the index of the item, with pointers into the item itself. Under undefined is what was
 * found in the rest of the body.
 */
export function byItem<T extends Pointed>(found: readonly T[], count: number): Map<number | undefined, T[]> {
  const placed = found.map((one) => {
    const [, index = NaN, path = ''] = INTO_ITEM.exec(one.pointer ?? '') ?? [];
    // A list that is too long has its violation at the first item over the limit.
    return Number(index) < count
      ? { index: Number(index), one: { ...one, pointer: `#${path}` } }
      : { index: undefined, one };
  });
  const groups = Map.groupBy(placed, ({ index }) => index);
  return new Map([...groups].map(([index, group]) => [index, group.map(({ one }) => one)]));
}

/** The opposite of `byItem`: pointers into the whole body. */
export const inBatch = <T extends Pointed>(found: readonly T[], index: number): T[] =>
  found.map((one) =>
    one.pointer === undefined ? one : { ...one, pointer: `#/items/${index}${one.pointer.slice(1)}` },
  );

/** How many others a violation names. */
const NAMED_AT_MOST = 10;

/** A violation for each item whose company and referenceId another item has too: which one should win is unknown. */
export function repeatedReferences(items: readonly unknown[]): ReadonlyMap<number, Violation> {
  const named = items.flatMap((item, index) => {
    const reference = referenceOf(item);
    return reference === undefined ? [] : [{ reference, index }];
  });
  const violations = new Map<number, Violation>();
  for (const group of Map.groupBy(named, ({ reference }) => reference).values()) {
    if (group.length === 1) continue;
    for (const { index } of group) {
      const others = group.filter((other) => other.index !== index).map((other) => other.index);
      violations.set(index, { pointer: '#/referenceId', code: 'repeated', detail: detailOf(others) });
    }
  }
  return violations;
}

/** The properties of an item that name its job, which may be anything. */
export const namesOf = (item: unknown) =>
  (item ?? {}) as { referenceId?: unknown; company?: { id?: unknown } | null };

/** What names the job of an item; undefined if it names none. */
function referenceOf(item: unknown): string | undefined {
  const { referenceId, company } = namesOf(item);
  const companyId = company?.id;
  const isNamed = typeof referenceId === 'string' && typeof companyId === 'number';
  return isNamed ? `${companyId}/${referenceId}` : undefined;
}

function detailOf(others: readonly number[]): string {
  const more = others.length - NAMED_AT_MOST;
  const listed = `${others.slice(0, NAMED_AT_MOST).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
  return others.length === 1
    ? `Item ${listed} has the same referenceId.`
    : `Items ${listed} have the same referenceId.`;
}
