import * as contract from '@joblisting/contracts';
import type { RelayMessage } from '@joblisting/service-kit/mongo';
import type { ChangeDocument } from '../models/change.ts';

const eventOf = {
  created: contract.categoryCreated,
  renamed: contract.categoryRenamed,
  deleted: contract.categoryDeleted,
} as const satisfies Record<ChangeDocument['kind'], contract.Event>;

/** The message of a category's change, with the id `category:<id>:<version>`; undefined if this release cannot read it. */
export function categoryMessage(
  categoryId: number,
  { kind, at, ...rest }: ChangeDocument,
): RelayMessage<contract.CategoryChanged> | undefined {
  if (!Object.hasOwn(eventOf, kind) || !(at instanceof Date)) return undefined;
  return {
    event: eventOf[kind],
    payload: { categoryId, ...rest, at: at.toISOString() },
    messageId: `category:${categoryId}:${rest.version}`,
  };
}
