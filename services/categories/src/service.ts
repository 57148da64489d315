import {
  acquireCategories,
  acquireForMany,
  addSystemCategory,
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  releaseCategories,
  updateCategory,
} from '@joblisting/contracts';
import {
  type ConfigOf,
  type Background,
  background,
  endpoint,
  idBlocks,
  keptAnswersIn,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import { config } from './config.ts';
import { LAST_SYSTEM_ID } from './domain/category.ts';
import { acquireCategoriesHandler } from './handlers/acquire-categories.ts';
import { acquireForManyHandler } from './handlers/acquire-for-many.ts';
import { addSystemCategoryHandler } from './handlers/add-system-category.ts';
import { createCategoryHandler } from './handlers/create-category.ts';
import { deleteCategoryHandler } from './handlers/delete-category.ts';
import { getCategoryHandler } from './handlers/get-category.ts';
import { listCategoriesHandler } from './handlers/list-categories.ts';
import { releaseCategoriesHandler } from './handlers/release-categories.ts';
import { changeTeller, tellingChange } from './handlers/tell-change.ts';
import { updateCategoryHandler } from './handlers/update-category.ts';
import { examineWith } from './repair/examine.ts';
import { finishRenamesWith, pushRenameWith } from './repair/push-rename.ts';
import { seedSystemCategories } from './repair/seed.ts';
import { sweepWith } from './repair/sweep.ts';
import { categoryStore } from './store/category-store.ts';
import { createIndexes } from './store/collections.ts';
import { referenceStore } from './store/reference-store.ts';
import { renameStore } from './store/rename-store.ts';
import { systemStore } from './store/system-store.ts';

const ID_BLOCK = 20;

export const categoriesService: ServiceDefinition<ConfigOf<typeof config>> = {
  name: 'categories',
  description: 'System and custom job categories',
  config,
  mongo: true,
  create: ({ config, mongo, bus, clock, log }) => {
    const nextCustomId = idBlocks(mongo, 'categories', ID_BLOCK, LAST_SYSTEM_ID + 1);
    const answers = keptAnswersIn(mongo, 'idempotency', clock);
    const categories = categoryStore(mongo, nextCustomId, answers);
    const system = systemStore(mongo);
    const renames = renameStore(mongo);
    const references = referenceStore(mongo, clock, nextCustomId);
    const push = pushRenameWith(bus, renames, clock, log);
    const examine = examineWith(bus, clock);
    const tell = changeTeller(bus);
    const create = tellingChange(createCategoryHandler(categories, clock), tell);
    const update = tellingChange(updateCategoryHandler(categories, renames, push, clock), tell);
    const remove = tellingChange(deleteCategoryHandler(categories, references, examine), tell);
    const addSystem = tellingChange(addSystemCategoryHandler(system), tell);
    const stopping = new AbortController();
    const repairs: Background[] = [];
    return {
      start: async () => {
        await Promise.all([createIndexes(mongo), answers.createIndexes()]);
        await seedSystemCategories(system, log);
      },
      endpoints: [
        endpoint(getCategory, getCategoryHandler(categories), log),
        endpoint(listCategories, listCategoriesHandler(categories, bus), log),
        endpoint(createCategory, create, log, { kept: answers }),
        endpoint(updateCategory, update, log),
        endpoint(deleteCategory, remove, log),
        endpoint(addSystemCategory, addSystem, log),
        endpoint(acquireCategories, acquireCategoriesHandler(references, tell), log),
        endpoint(acquireForMany, acquireForManyHandler(references, tell), log),
        endpoint(releaseCategories, releaseCategoriesHandler(references), log),
      ],
      started: async () => {
        const sweep = sweepWith({ references, examine, clock, log, stopping: stopping.signal });
        const finishRenames = finishRenamesWith(renames, push, clock);
        repairs.push(
          background('sweep references', config.SWEEP_EVERY_MS, sweep, log),
          background('finish renames', config.FINISH_RENAMES_EVERY_MS, finishRenames, log),
        );
      },
      closing: async () => stopping.abort(),
      stop: async () => void (await Promise.all(repairs.map((repair) => repair.stop()))),
    };
  },
};
