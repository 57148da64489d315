import type { CallContext } from '@joblisting/bus';
import { refuseInvalid, ServiceError, type Violation } from '@joblisting/contracts';
import type { CategoryReference } from '../domain/categories.ts';
import type { CategoriesClient } from '../clients/categories.ts';

/** The categories of a body, and the company that they are for. */
export interface SentCategories {
  readonly companyId: number;
  readonly categories: readonly CategoryReference[] | null | undefined;
}

export type UnknownCategories = ReturnType<typeof unknownCategories>;

/**
 * Finds category ids that do not exist for the company. Only for requests that are refused anyway, and so acquire no
 * category: one answer lists all violations (API decisions, "Errors").
 */
export function unknownCategories(client: CategoriesClient) {
  const find = async (
    { companyId, categories }: SentCategories,
    context: CallContext,
  ): Promise<Violation[]> => {
    const sent = categories ?? [];
    const ids = new Set(sent.flatMap(({ id }) => (id === undefined ? [] : [id])));
    const unknown = new Set(await client.unknown([...ids], companyId, context));
    return sent.flatMap(({ id }, index) =>
      id !== undefined && unknown.has(id)
        ? [{ pointer: `#/categories/${index}/id`, code: 'unknown_id', detail: `There is no category ${id}.` }]
        : [],
    );
  };

  return {
    /** Throws `validation_failed` for unknown ids, which comes before a conflict. */
    refuse: async (sent: SentCategories, context: CallContext): Promise<void> =>
      refuseInvalid(await find(sent, context)),

    /** Resolves to what `decide` returns. If it throws `validation_failed`, unknown ids are added to its errors. */
    alongside: async <T>(
      decide: () => T,
      sent: SentCategories | undefined,
      context: CallContext,
    ): Promise<T> => {
      try {
        return decide();
      } catch (error) {
        if (sent && error instanceof ServiceError && error.code === 'validation_failed')
          refuseInvalid([...error.errors, ...(await find(sent, context))]);
        throw error;
      }
    },
  };
}
