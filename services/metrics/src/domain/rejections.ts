import {
  EVENTS_MAX,
  type MetricsEvent,
  type MetricsReceipt,
  type RejectedEvent,
  type ServiceError,
  type Violation,
} from '@joblisting/contracts';

/**
 * An NDJSON line in place of its event: it could not be read. It has no properties of its own, which would be warned
 * about as unknown fields.
 */
export class UnreadableLine {
  readonly #error: ServiceError;

  constructor(error: ServiceError) {
    this.#error = error;
  }

  /** The rejection of the event at this index. */
  rejection(index: number): RejectedEvent {
    const { message, errors } = this.#error;
    const { pointer = `#/events/${index}`, detail } = errors[0] ?? { detail: message };
    return { index, code: 'invalid_event', pointer, detail };
  }
}

/** The events of a batch that can be counted, and the rejections of the others. */
export interface SeparatedEvents {
  readonly valid: readonly MetricsEvent[];
  /** The places of the valid events in the batch. */
  readonly indexes: readonly number[];
  readonly rejected: readonly RejectedEvent[];
}

/** `#/events/3/type` leads into event 3. */
const INTO_EVENT = /^#\/events\/(\d+)(?:\/|$)/;

/** The index of the event that a violation is about; undefined if it is about the whole list. */
function indexOf({ pointer = '' }: Violation): number | undefined {
  const index = INTO_EVENT.exec(pointer)?.[1];
  // A list that is too long has its violation at the first event over the limit.
  return index === undefined || Number(index) >= EVENTS_MAX ? undefined : Number(index);
}

/** The violations for which a body has no usable list of events. */
export const violationsOfList = (violations: readonly Violation[]): Violation[] =>
  violations.filter((violation) => indexOf(violation) === undefined);

/**
 * Separates the events that break the schema from the others.
 * @param violations those of the events, in a list that is usable
 */
export function separateEvents(
  events: readonly (MetricsEvent | UnreadableLine)[],
  violations: readonly Violation[],
): SeparatedEvents {
  const byIndex = Map.groupBy(violations, indexOf);
  const valid: MetricsEvent[] = [];
  const indexes: number[] = [];
  const rejected: RejectedEvent[] = [];
  for (const [index, event] of events.entries()) {
    const faults = byIndex.get(index);
    if (event instanceof UnreadableLine) rejected.push(event.rejection(index));
    else if (faults) rejected.push(invalidEvent(index, faults));
    else {
      valid.push(event);
      indexes.push(index);
    }
  }
  return { valid, indexes, rejected };
}

function invalidEvent(index: number, faults: readonly Violation[]): RejectedEvent {
  const pointer = faults[0]?.pointer ?? `#/events/${index}`;
  return { index, code: 'invalid_event', pointer, detail: faults.map(({ detail }) => detail).join(' ') };
}

/** The receipt of the whole batch: that of its valid events, with the rejected ones between. */
export const receiptOfAll = (
  receipt: MetricsReceipt,
  { indexes, rejected }: SeparatedEvents,
): MetricsReceipt => ({
  ...receipt,
  rejected: [
    ...receipt.rejected.map((one) => ({ ...one, index: indexes[one.index] ?? one.index })),
    ...rejected,
  ].toSorted((one, other) => one.index - other.index),
});
