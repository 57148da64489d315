import type { Bus } from '@joblisting/bus';
import * as contract from '@joblisting/contracts';
import {
  type Background,
  background,
  type ConfigOf,
  endpoint,
  type Handler,
  type MongoContext,
  mutex,
  type Parts,
  prepareModels,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import {
  idBlocks,
  keptAnswersIn,
  RELAY_READ_TIMEOUT_MS,
  relayMetrics,
  relayModel,
  relayStore,
  startRelay,
} from '@joblisting/service-kit/mongo';
import { Type } from 'typebox';
import { jobsClient } from './clients/jobs.ts';
import { LAST_SYSTEM_ID } from './domain/category.ts';
import { addSystemCategoryHandler, seedSystemCategories } from './handlers/add-system-category.ts';
import { createCategoryHandler } from './handlers/create-category.ts';
import { categoryRemover, deleteCategoryHandler } from './handlers/delete-category.ts';
import {
  acquireCategoriesHandler,
  previewCategoriesHandler,
  releaseCategoriesHandler,
} from './handlers/job-references.ts';
import { removeCustomCategoriesHandler } from './handlers/remove-custom-categories.ts';
import { getCategoryHandler, listCategoriesHandler } from './handlers/read-categories.ts';
import { updateCategoryHandler } from './handlers/update-category.ts';
import { categoryModel } from './models/category.ts';
import type { ChangeDocument } from './models/change.ts';
import { customCountModel } from './models/custom-count.ts';
import { nameModel } from './models/name.ts';
import { referenceModel } from './models/reference.ts';
import { tombstoneModel } from './models/tombstone.ts';
import { categoryStore } from './store/category-store.ts';
import { customCounts } from './store/custom-counts.ts';
import { referenceStore } from './store/reference-store.ts';
import { renameStore } from './store/rename-store.ts';
import { categoryMessage } from './tasks/category-message.ts';
import { finishRenames, renamePusher } from './tasks/push-rename.ts';
import { sweeper } from './tasks/sweep.ts';

const settings = {
  SWEEP_EVERY_MS: Type.Integer({
    default: 30_000,
    minimum: 10,
    description: 'How often due references of jobs to categories are checked.',
  }),
  FINISH_RENAMES_EVERY_MS: Type.Integer({
    default: 2000,
    minimum: 10,
    description: 'How often the service looks for renames that some jobs may not show yet.',
  }),
  MAX_CUSTOM_CATEGORIES: Type.Integer({
    default: 1000,
    minimum: 1,
    // A list of this many long names still fits into one message of the bus.
    maximum: 20_000,
    description: 'Custom categories of one company; more are refused with 409.',
  }),
};

const ID_BLOCK = 20;

function create({
  config,
  mongo,
  bus,
  clock,
  log,
  metrics,
  connectPatiently,
}: MongoContext<ConfigOf<typeof settings>>): Parts {
  const nextCustomId = idBlocks(mongo, 'categories', ID_BLOCK, LAST_SYSTEM_ID + 1);
  const answers = keptAnswersIn(mongo, 'idempotency', clock);
  const counts = customCounts(mongo, config.MAX_CUSTOM_CATEGORIES);
  const customs = { nextCustomId, counts, locks: mutex() };
  const categories = categoryStore(mongo, customs, answers);
  const references = referenceStore(mongo, customs);
  const renames = renameStore(mongo);
  const jobs = jobsClient(bus);
  const push = renamePusher(jobs, renames, clock, log);
  const remove = categoryRemover(categories, references, jobs, clock);
  const { notifyChange, notifying } = changes(bus);
  const stopping = new AbortController();
  const relay = relayStore<ChangeDocument>(mongo, {
    name: 'categories',
    collections: ['categories', 'tombstones'],
  });
  const relayGauges = relayMetrics(metrics);
  let tasks: readonly Background[] = [];
  let stopRelay: (() => Promise<void>) | undefined;

  return {
    start: async () => {
      await prepareModels([
        categoryModel(mongo),
        nameModel(mongo),
        referenceModel(mongo),
        customCountModel(mongo),
        tombstoneModel(mongo),
        relayModel(mongo),
      ]);
      await relay.prepare();
      await bus.ensureStream(contract.categoriesStream);
      await counts.correct();
      await answers.createIndexes();
      await seedSystemCategories(categories, log);
    },
    endpoints: [
      endpoint(contract.getCategory, getCategoryHandler(categories), log),
      endpoint(contract.listCategories, listCategoriesHandler(categories, jobs), log),
      endpoint(contract.createCategory, notifying(createCategoryHandler(categories, clock)), log, {
        kept: answers,
      }),
      endpoint(
        contract.updateCategory,
        notifying(updateCategoryHandler(categories, renames, push, clock)),
        log,
      ),
      endpoint(contract.deleteCategory, notifying(deleteCategoryHandler(categories, remove)), log),
      endpoint(
        contract.removeCustomCategories,
        notifying(removeCustomCategoriesHandler(categories, remove)),
        log,
      ),
      endpoint(contract.addSystemCategory, notifying(addSystemCategoryHandler(categories)), log),
      endpoint(contract.acquireCategories, acquireCategoriesHandler(references, notifyChange, clock), log),
      endpoint(contract.previewCategories, previewCategoriesHandler(references), log),
      endpoint(contract.releaseCategories, releaseCategoriesHandler(references), log),
    ],
    started: async () => {
      const sweep = sweeper({ references, jobs, clock, log, stopping: stopping.signal });
      tasks = [
        background('sweep references', config.SWEEP_EVERY_MS, sweep, log),
        background(
          'finish renames',
          config.FINISH_RENAMES_EVERY_MS,
          finishRenames(renames, push, clock, stopping.signal),
          log,
        ),
      ];
      stopRelay = startRelay({
        store: relay,
        patient: await connectPatiently(RELAY_READ_TIMEOUT_MS),
        bus,
        log,
        metrics: relayGauges,
        messageOf: categoryMessage,
      });
    },
    closing: async () => stopping.abort(),
    stop: async () => void (await Promise.all([...tasks.map((task) => task.stop()), stopRelay?.()])),
  };
}

/**
 * Sends `categoriesChanged`. NATS keeps a connection's order, so listeners get it before the caller gets the answer.
 */
function changes(bus: Bus) {
  const notifyChange = (): void => bus.notify(contract.categoriesChanged, {});
  return {
    notifyChange,
    /** Also notifies after a failed request, because it may have changed something. */
    notifying:
      <O extends contract.Operation>(handler: Handler<O>): Handler<O> =>
      async (request) => {
        try {
          return await handler(request);
        } finally {
          notifyChange();
        }
      },
  };
}

export const categoriesService: ServiceDefinition<ConfigOf<typeof settings>> = {
  name: 'categories',
  description: 'System and custom job categories',
  config: settings,
  mongo: true,
  create,
};
