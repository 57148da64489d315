import { type Static, Type } from 'typebox';
import { operationsOf } from './define.ts';
import { CategoryName, Int32, NoParams, ReadOnly } from './fields.ts';
import type { Event, Stream } from './operation.ts';
import { JobCategory } from './resources.ts';

const operation = operationsOf('categories');
const ById = Type.Object({ id: Int32() });
const Name = CategoryName({ examples: ['Game Design'] });

export const getCategory = operation('get', {
  summary: 'Read one job category',
  params: ById,
  body: undefined,
  reply: JobCategory,
  errors: ['category_not_found'],
});

export const NewJobCategory = Type.Object({
  id: ReadOnly(Int32()),
  name: Name,
  company: Type.Object({ id: Int32(), name: ReadOnly(Type.String()) }),
});

export const JobCategoryChanges = Type.Object({
  id: ReadOnly(Int32()),
  name: Type.Optional(Name),
  company: ReadOnly(Type.Object({})),
});

export const createCategory = operation('create', {
  summary: 'Create a custom job category',
  params: NoParams,
  body: NewJobCategory,
  reply: JobCategory,
  errors: ['company_forbidden', 'category_name_taken', 'category_limit'],
  takesIdempotencyKey: true,
});

export const updateCategory = operation('update', {
  summary: 'Rename a custom job category',
  params: ById,
  body: JobCategoryChanges,
  reply: JobCategory,
  errors: ['category_not_found', 'system_category', 'category_name_taken'],
});

export const deleteCategory = operation('delete', {
  summary: 'Delete a custom job category that no job has',
  params: ById,
  body: undefined,
  reply: undefined,
  errors: ['category_not_found', 'system_category', 'category_assigned'],
});

export const listCategories = operation('list', {
  summary: 'List system categories, and the custom ones of a company',
  params: Type.Object({
    'company.id': Type.Optional(Int32({ description: "Adds this company's custom categories." })),
    active: Type.Optional(
      Type.String({
        description:
          'With company.id: only categories assigned to its published jobs. The presence counts, not the value.',
      }),
    ),
  }),
  body: undefined,
  reply: Type.Array(JobCategory),
});

/** For operators. Without an id it takes the next free one. */
export const addSystemCategory = operation('system.add', {
  summary: 'Add a system category',
  params: NoParams,
  body: Type.Object({ id: Type.Optional(Int32({ minimum: 1 })), name: Name }),
  reply: JobCategory,
  errors: ['category_name_taken'],
});

/** For `accounts`, when it deletes a company. `category_assigned` where one of its jobs has one of them. */
export const removeCustomCategories = operation('company.remove', {
  summary: "Remove a company's custom categories",
  params: NoParams,
  body: Type.Object({ companyId: Int32() }),
  reply: Type.Object({ removed: Type.Integer() }),
  errors: ['category_assigned'],
});

export const AssignedCategory = Type.Object({
  id: Int32(),
  name: Type.String(),
  version: Type.Integer({ description: 'Rises with each rename.' }),
  created: Type.Boolean({ description: 'True where the name sent made the category.' }),
});
export type AssignedCategory = Static<typeof AssignedCategory>;

/** The categories that a job names. */
const NamedCategories = Type.Array(Type.Object({ id: Type.Optional(Int32()), name: Type.Optional(Name) }), {
  maxItems: 5,
});

/**
 * For `jobs`, before it commits `version` of a job. One transaction resolves ids and names, creates a custom category
 * for each new name, and counts a reference to each custom category. Nobody can delete system categories, so they have
 * no references. A reference lasts until a release; the sweep drops references of versions that were never committed.
 * Unknown and foreign ids: `validation_failed` with pointers `#/categories/<index>/id`. Too many new names:
 * `category_limit`.
 */
export const acquireCategories = operation('acquire', {
  summary: "Resolve a job's categories, and count its references to custom ones",
  params: NoParams,
  body: Type.Object({
    companyId: Int32(),
    jobId: Int32(),
    version: Type.Integer({ minimum: 1 }),
    categories: NamedCategories,
  }),
  reply: Type.Object({ categories: Type.Array(AssignedCategory) }),
  errors: ['validation_failed', 'category_limit'],
});

/**
 * For dry runs of `jobs`: what `acquireCategories` would reply, without doing anything. A category that it would create
 * has an id below 1.
 */
export const previewCategories = operation('acquire.preview', {
  summary: "Resolve a job's categories without changing anything",
  params: NoParams,
  body: Type.Object({ companyId: Int32(), categories: NamedCategories }),
  reply: Type.Object({ categories: Type.Array(AssignedCategory) }),
  errors: ['validation_failed', 'category_limit'],
});

/**
 * For `jobs`, after it has committed `version` of a job or deleted it: drops the job's references of `version` and
 * before, except to the categories in `keep`. A stale release changes nothing.
 */
export const releaseCategories = operation('release', {
  summary: "Drop a job's references to categories",
  params: NoParams,
  body: Type.Object({ jobId: Int32(), version: Type.Integer({ minimum: 1 }), keep: Type.Array(Int32()) }),
  reply: Type.Object({ released: Type.Integer() }),
});

export const categoriesStream: Stream = {
  name: 'CATEGORIES',
  subjects: ['categories.v1.event.custom.>'],
  maxAgeMs: 7 * 24 * 3600_000,
  maxBytes: 256 * 1024 ** 2,
  duplicateWindowMs: 120_000,
};

/** The payload of events of custom categories. Each version of a category, from 1, has one event. */
export const CategoryChanged = Type.Object({
  categoryId: Int32(),
  companyId: Int32(),
  version: Type.Integer(),
  /** After the change. */
  name: Type.String(),
  at: Type.String({ format: 'date-time' }),
});
export type CategoryChanged = Static<typeof CategoryChanged>;

const categoryEvent = (name: string, summary: string): Event<CategoryChanged> => ({
  subject: `categories.v1.event.custom.${name}`,
  stream: categoriesStream.name,
  messageId: 'category:<categoryId>:<version>',
  summary,
  payload: CategoryChanged,
});

export const categoryCreated = categoryEvent('created', 'A custom category was created');
export const categoryRenamed = categoryEvent('renamed', 'A custom category was renamed');
/** Its version is one above the last version of the category. */
export const categoryDeleted = categoryEvent('deleted', 'A custom category was deleted');

const CategoriesChanged = Type.Object({});

/**
 * Sent without a stream, before the reply to the request that may have changed a category. Listeners can miss it, so
 * their caches need a maximum age too.
 */
export const categoriesChanged: Event<Static<typeof CategoriesChanged>> = {
  subject: 'categories.v1.event.changed',
  stream: '',
  summary: 'A category may have been created, renamed or deleted',
  payload: CategoriesChanged,
};

/** The system categories that a new installation starts with, ids from 1 (API decisions, "Categories"). */
export const firstSystemCategories = [
  'Accounting and Finance',
  'Administration',
  'Agriculture',
  'Arts and Media',
  'Construction',
  'Customer Service',
  'Education',
  'Engineering',
  'Government',
  'Health Care',
  'Hospitality',
  'Human Resources',
  'Information Technology',
  'Legal',
  'Manufacturing',
  'Marketing',
  'Retail',
  'Sales',
  'Science',
  'Skilled Trades',
  'Social Services',
  'Transportation',
  'Other',
] as const;
