import { type JobCategory, ServiceError } from '@joblisting/contracts';

/** The last id that a system category can have. Custom ones start above it. */
export const LAST_SYSTEM_ID = 999;

/** A job category. `companyId` is null for a system category. `version` rises with each rename. */
export interface Category {
  readonly id: number;
  readonly name: string;
  readonly companyId: number | null;
  readonly version: number;
  /** How many jobs have it, or are about to: never less than there are. */
  readonly references: number;
  /** When the rename began that jobs may not all show yet, in epoch milliseconds. */
  readonly renamedAt: number | undefined;
}

/** The category as the API shows it (spec, "Job category"). */
export const toJobCategory = ({ id, name, companyId }: Category): JobCategory => ({
  id,
  name,
  company: companyId === null ? null : { id: companyId },
});

/** An answer that shows one category. */
export const shown = (category: Category) => ({ data: toJobCategory(category), version: category.version });

export const notFound = (id: number) => new ServiceError('category_not_found', `There is no category ${id}.`);

/** The refusal of a name that is in use, with the category that has it. */
export const nameTaken = (by: Category) =>
  new ServiceError('category_name_taken', `Category ${by.id} already has this name.`, {
    conflict: { resource: 'category', id: by.id },
  });
