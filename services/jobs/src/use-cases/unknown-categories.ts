import type { CallContext } from '@joblisting/bus';
import { refuseInvalid, ServiceError, type Violation } from '@joblisting/contracts';
import type { CategoryReference } from '../domain/categories.ts';
import type { CategoriesPeer } from '../peers/categories.ts';

/** What a body says about categories, and for which company. */
export interface SentCategories {
  readonly companyId: number;
  readonly categories: readonly CategoryReference[] | null | undefined;
}

export type UnknownCategories = ReturnType<typeof unknownCategories>;

/**
 * Category ids that do not exist for the company, as an acquisition would find them. Only for requests that are
 * refused anyway, and so acquire none: all violations are listed at once (API decisions, "Errors").
 */
export function unknownCategories(peer: CategoriesPeer) {
  const find = async (
    { companyId, categories }: SentCategories,
    context: CallContext,
  ): Promise<Violation[]> => {
    const sent = categories ?? [];
    const ids = new Set(sent.flatMap(({ id }) => (id === undefined ? [] : [id])));
    const unknown = new Set(await peer.unknown([...ids], companyId, context));
    return sent.flatMap(({ id }, index) =>
      id !== undefined && unknown.has(id)
        ? [{ pointer: `#/categories/${index}/id`, code: 'unknown_id', detail: `There is no category ${id}.` }]
        : [],
    );
  };

  return {
    /** Throws `validation_failed` where there are some: that comes before a conflict. */
    refuse: async (sent: SentCategories, context: CallContext): Promise<void> =>
      refuseInvalid(await find(sent, context)),

    /** What `decide` resolves to; where it refuses the body by its rules, unknown categories are listed with them. */
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
