import * as contract from '@joblisting/contracts';
import {
  type ConfigOf,
  endpoint,
  inTransaction,
  type KeptAnswer,
  mutex,
  prepareModels,
  type MongoContext,
  type Parts,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import {
  idBlocks,
  keptAnswersIn,
  RELAY_READ_TIMEOUT_MS,
  relayMetrics,
  relayStore,
  startRelay,
} from '@joblisting/service-kit/mongo';
import { upgradeLinks } from './tasks/upgrade-links.ts';
import { jobsConfig } from './config.ts';
import { applyCountsHandler, findExistingJobsHandler } from './handlers/apply-counts.ts';
import {
  findActiveCategoriesHandler,
  findHeldCategoriesHandler,
  renameCategoryHandler,
} from './handlers/category-operations.ts';
import { checkJobAccessHandler } from './handlers/check-job-access.ts';
import { countJobsHandler, renameCompanyHandler } from './handlers/company-operations.ts';
import { batchJobsHandler } from './handlers/batch-jobs.ts';
import { createJobHandler } from './handlers/create-job.ts';
import { deleteJobByReferenceHandler, deleteJobHandler } from './handlers/delete-job.ts';
import type { Deps } from './handlers/deps.ts';
import { finishSyncs } from './handlers/finish-sync.ts';
import { getApplicationTargetHandler } from './handlers/get-application-target.ts';
import { getJobHandler, listJobTypesHandler } from './handlers/get-job.ts';
import { htmlJudge } from './handlers/judge-html.ts';
import { listJobsHandler, recountJobsHandler } from './handlers/list-jobs.ts';
import { itemSlots, readItems } from './handlers/put-items.ts';
import { putJobHandler } from './handlers/put-job.ts';
import { readJobHeadersHandler } from './handlers/read-job-headers.ts';
import { readPublicJobsHandler } from './handlers/read-public-jobs.ts';
import {
  addSyncItemsHandler,
  commitSyncHandler,
  getSyncHandler,
  syncIdentity,
  startSyncHandler,
} from './handlers/syncs.ts';
import { unknownCategories } from './handlers/unknown-categories.ts';
import { updateJobHandler } from './handlers/update-job.ts';
import { allModels } from './models/all.ts';
import type { ChangeDocument } from './models/change.ts';
import { categoriesClient } from './clients/categories.ts';
import { companiesClient } from './clients/companies.ts';
import { countersClient } from './clients/counters.ts';
import { linksClient } from './clients/links.ts';
import { answerStore } from './store/answer-store.ts';
import { categoryStore } from './store/category-store.ts';
import { companyStore } from './store/company-store.ts';
import { countStore } from './store/count-store.ts';
import { dueStore } from './store/due-store.ts';
import { headerStore } from './store/header-store.ts';
import { jobStore } from './store/job-store.ts';
import { linkStore } from './store/link-store.ts';
import { listStore } from './store/list-store.ts';
import { publicStore } from './store/public-store.ts';
import { migrate } from './store/migrate.ts';
import { syncStore } from './store/sync-store.ts';
import { tombstoneStore } from './store/tombstone-store.ts';
import { cleaningUp, cleanUpDeleted, forgetAnswers } from './tasks/clean-up.ts';
import { foldTotals } from './tasks/fold-totals.ts';
import { jobMessage } from './tasks/job-message.ts';
import { settleDue } from './tasks/settle-due.ts';
import { startTasks } from './tasks/start-tasks.ts';

function create({
  bus,
  mongo,
  clock,
  log,
  config,
  metrics,
  connectPatiently,
}: MongoContext<ConfigOf<typeof jobsConfig>>): Parts {
  const stops: (() => Promise<void>)[] = [];
  const stopping = new AbortController();

  const jobs = jobStore(mongo);
  const lists = listStore(mongo);
  const tombstones = tombstoneStore(mongo);
  const answers = answerStore(mongo, clock);
  const categories = categoriesClient(bus, log);
  const categoryNames = categoryStore(mongo, categories.isSystem);
  const companyJobs = companyStore(mongo);
  const links = linksClient(bus, config.SEARCH_URL, log);

  const cleanUp = cleaningUp({ log, tombstones, categories, links, counters: countersClient(bus) });
  const deps: Deps = {
    clock,
    newId: idBlocks(mongo, 'jobs'),
    jobs,
    tombstones,
    answers,
    categoryNames,
    categories,
    companies: companiesClient(bus),
    links,
    judgeHtml: htmlJudge(),
    unknown: unknownCategories(categories),
    cleanUp,
    jobLocks: mutex(),
  };
  const batchAnswers = keptAnswersIn(mongo, 'idempotency', clock);
  const batchDeps = {
    ...deps,
    log,
    itemSlots: itemSlots(),
    keepAnswer: (answer: KeptAnswer, deadline: number) =>
      inTransaction(mongo, deadline, (session) => batchAnswers.insertUnlessAnswered(answer, session)),
  };
  const due = dueStore(mongo);
  const settle = settleDue(due, stopping.signal);
  const syncDeps = {
    ...batchDeps,
    syncs: syncStore(mongo, batchAnswers),
    newSyncId: idBlocks(mongo, 'syncs', 10),
    settle,
  };
  const relay = relayStore<ChangeDocument>(mongo, { name: 'jobs', collections: ['jobs', 'tombstones'] });
  const relayGauges = relayMetrics(metrics);
  const tasks = {
    settle: () => settle.all(clock.now()),
    upgradeLinks: upgradeLinks(linkStore(mongo, jobs, clock), links, stopping.signal),
    cleanUpDeleted: cleanUpDeleted(tombstones, cleanUp, stopping.signal),
    forgetAnswers: forgetAnswers(answers, stopping.signal),
    finishSyncs: finishSyncs(syncDeps, stopping.signal),
    foldTotals: foldTotals({
      lists,
      isDue: async () => (await due.dueCompany(clock.now())) !== undefined,
      stopping: stopping.signal,
    }),
  };

  return {
    start: async () => {
      await prepareModels(allModels(mongo));
      await batchAnswers.createIndexes();
      await relay.prepare();
      await migrate(mongo);
      await bus.ensureStream(contract.jobsStream);
      // The scheduler may start later than this service, which needs its stream.
      await bus.ensureStream(contract.schedulerStream);
    },
    endpoints: [
      endpoint(contract.getJob, getJobHandler(jobs, clock), log),
      endpoint(contract.createJob, createJobHandler(deps), log, { kept: answers }),
      endpoint(contract.updateJob, updateJobHandler(deps), log),
      endpoint(contract.putJob, putJobHandler(deps), log),
      endpoint(contract.batchJobs, batchJobsHandler(batchDeps), log, {
        kept: batchAnswers,
        readBody: readItems,
      }),
      endpoint(contract.startSync, startSyncHandler(syncDeps), log, { kept: batchAnswers }),
      endpoint(contract.addSyncItems, addSyncItemsHandler(syncDeps), log, {
        kept: batchAnswers,
        readBody: readItems,
        identity: syncIdentity,
      }),
      endpoint(contract.commitSync, commitSyncHandler(syncDeps), log, {
        kept: batchAnswers,
        identity: syncIdentity,
      }),
      endpoint(contract.getSync, getSyncHandler(syncDeps), log),
      endpoint(contract.deleteJob, deleteJobHandler(deps), log),
      endpoint(contract.deleteJobByReference, deleteJobByReferenceHandler(deps), log),
      endpoint(contract.listJobs, listJobsHandler(lists, jobs, settle, clock), log),
      endpoint(contract.listJobTypes, listJobTypesHandler(), log),
      endpoint(contract.getApplicationTarget, getApplicationTargetHandler(jobs, clock), log),
      endpoint(contract.readPublicJobs, readPublicJobsHandler(publicStore(mongo), clock), log),
      endpoint(contract.readJobHeaders, readJobHeadersHandler(headerStore(mongo), clock), log),
      endpoint(contract.checkJobAccess, checkJobAccessHandler(jobs), log),
      endpoint(contract.findExistingJobs, findExistingJobsHandler(jobs), log),
      endpoint(contract.applyCounts, applyCountsHandler(countStore(mongo), jobs), log),
      endpoint(contract.findActiveCategories, findActiveCategoriesHandler(categoryNames, settle, clock), log),
      endpoint(contract.renameCategoryOnJobs, renameCategoryHandler(categoryNames), log),
      endpoint(contract.findHeldCategories, findHeldCategoriesHandler(categoryNames), log),
      endpoint(contract.renameCompanyOnJobs, renameCompanyHandler(companyJobs), log),
      endpoint(contract.countJobs, countJobsHandler(companyJobs), log),
      endpoint(contract.recountJobs, recountJobsHandler(lists), log),
    ],
    started: async () => {
      const loadingCategories = categories.start();
      stops.push(
        startTasks(tasks, bus, log),
        startRelay({
          store: relay,
          patient: await connectPatiently(RELAY_READ_TIMEOUT_MS),
          bus,
          log,
          metrics: relayGauges,
          messageOf: jobMessage,
        }),
        loadingCategories.stop,
      );
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

export const jobsService: ServiceDefinition<ConfigOf<typeof jobsConfig>> = {
  name: 'jobs',
  description: 'Jobs: their rules, lists, status and transitions',
  config: jobsConfig,
  mongo: true,
  create,
};
