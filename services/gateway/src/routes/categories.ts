import {
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  updateCategory,
} from '@joblisting/contracts';
import { customCategory, systemCategory } from './examples.ts';
import type { Row } from './row.ts';

const anyone = { keys: 'none' } as const;
const write = { keys: 'keys', scope: 'categories:write' } as const;
const tag = 'Job categories';
const location = (id: number) => `/jobcategories/${id}`;

export const categoryRows: readonly Row[] = [
  {
    method: 'GET',
    path: '/jobcategories',
    name: 'listCategories',
    operation: listCategories,
    access: anyone,
    tag,
    description: 'System categories, and with company.id the custom ones of that company as well.',
    tagged: true,
    // A write of any job changes which ones are active.
    cached: { in: 'categories', unless: 'active' },
    examples: { parameters: { 'company.id': 1 }, data: [systemCategory, customCategory] },
  },
  {
    method: 'POST',
    path: '/jobcategories',
    name: 'createCategory',
    operation: createCategory,
    access: write,
    tag,
    description: 'Creates a custom category of one company.',
    location,
    tagged: true,
    examples: {
      body: { name: customCategory.name, company: customCategory.company },
      data: customCategory,
    },
  },
  {
    method: 'GET',
    path: '/jobcategories/{id}',
    name: 'getCategory',
    operation: getCategory,
    access: anyone,
    tag,
    description: 'One category. `company` is null for a system category.',
    tagged: true,
    cached: { in: 'categories' },
    examples: { parameters: { id: customCategory.id }, data: customCategory },
  },
  {
    method: 'PUT',
    path: '/jobcategories/{id}',
    name: 'updateCategory',
    operation: updateCategory,
    access: write,
    tag,
    description: 'Renames a custom category. The new name shows on every job that has it.',
    success: 'The updated category.',
    tagged: true,
    examples: {
      parameters: { id: customCategory.id },
      body: { name: customCategory.name },
      data: customCategory,
    },
  },
  {
    method: 'DELETE',
    path: '/jobcategories/{id}',
    name: 'deleteCategory',
    operation: deleteCategory,
    access: write,
    tag,
    description: 'Deletes a custom category, and only where it is not assigned to any job.',
    examples: { parameters: { id: customCategory.id } },
  },
];
