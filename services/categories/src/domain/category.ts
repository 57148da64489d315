import { type JobCategory, ServiceError } from '@joblisting/contracts';

/** The highest id of a system category. Custom categories have higher ones. */
export const LAST_SYSTEM_ID = 999;

/** A job category. `companyId` is null for a system category. `version` rises with each rename. */
export interface Category {
  readonly id: number;
  readonly name: string;
  readonly companyId: number | null;
  readonly version: number;
  /** When the last rename began, in epoch ms, while some jobs may not show it yet. */
  readonly renamedAt: number | undefined;
}

/** The category as the API shows it (spec, "Job category"). */
export const toJobCategory = ({ id, name, companyId }: Category): JobCategory => ({
  id,
  name,
  company: companyId === null ? null : { id: companyId },
});

/** A reply that shows one category. */
export const categoryReply = (category: Category) => ({
  data: toJobCategory(category),
  version: category.version,
});

export const createdReply = (category: Category) => ({
  ...categoryReply(category),
  outcome: 'created' as const,
  id: category.id,
});

export const notFound = (id: number) => new ServiceError('category_not_found', `There is no category ${id}.`);

export const limitReached = (companyId: number, limit: number) =>
  new ServiceError('category_limit', `Company ${companyId} may have at most ${limit} custom categories.`);

export const nameTaken = (holder: Category) =>
  new ServiceError('category_name_taken', `Category ${holder.id} already has this name.`, {
    conflict: { resource: 'category', id: holder.id },
  });
