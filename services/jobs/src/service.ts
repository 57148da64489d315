import * as contract from '@joblisting/contracts';
import {
  type ConfigOf,
  endpoint,
  idBlocks,
  type MongoContext,
  type Parts,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import { auditLists } from './background/audit-lists.ts';
import { cleanUpDeleted } from './background/clean-up-deleted.ts';
import { countLists } from './background/count-lists.ts';
import { forgetAnswers } from './background/forget-answers.ts';
import { relay } from './background/relay.ts';
import { type RunningBackground, startBackground } from './background/start.ts';
import { upgradeLinks } from './background/upgrade-links.ts';
import { watchOutbox } from './background/watch-outbox.ts';
import { jobsConfig } from './config.ts';
import { applyCountsHandler } from './handlers/apply-counts.ts';
import { createJobHandler } from './handlers/create-job.ts';
import { deleteJobByReferenceHandler } from './handlers/delete-job-by-reference.ts';
import { deleteJobHandler } from './handlers/delete-job.ts';
import { findActiveCategoriesHandler } from './handlers/find-active-categories.ts';
import { findExistingJobsHandler } from './handlers/find-existing-jobs.ts';
import { findHeldCategoriesHandler } from './handlers/find-held-categories.ts';
import { getJobHandler } from './handlers/get-job.ts';
import { listJobTypesHandler } from './handlers/list-job-types.ts';
import { listJobsHandler } from './handlers/list-jobs.ts';
import { putJobHandler } from './handlers/put-job.ts';
import { renameCategoryHandler } from './handlers/rename-category.ts';
import { updateJobHandler } from './handlers/update-job.ts';
import { categoriesPeer } from './peers/categories.ts';
import { companiesPeer } from './peers/companies.ts';
import { countersPeer } from './peers/counters.ts';
import { linksPeer } from './peers/links.ts';
import { answerStore } from './store/answer-store.ts';
import { categoryStore } from './store/category-store.ts';
import { createIndexes } from './store/collections.ts';
import { countStore } from './store/count-store.ts';
import { dueStore } from './store/due-store.ts';
import { jobStore } from './store/job-store.ts';
import { linkStore } from './store/link-store.ts';
import { listCounting } from './store/list-counting.ts';
import { listRecount } from './store/list-recount.ts';
import { listStore } from './store/list-store.ts';
import { type OfOutboxes, outboxes } from './store/outbox-store.ts';
import { tombstoneStore } from './store/tombstone-store.ts';
import { jobChange } from './use-cases/change-job.ts';
import { cleaningUp } from './use-cases/clean-up.ts';
import { jobCreation } from './use-cases/create-job.ts';
import { newJobDecision } from './use-cases/decide-new-job.ts';
import { jobDeletion } from './use-cases/delete-job.ts';
import { htmlJudge } from './use-cases/judge-html.ts';
import { settling } from './use-cases/settle-due.ts';
import { takingBack } from './use-cases/take-back.ts';
import { unknownCategories } from './use-cases/unknown-categories.ts';
import { writing } from './use-cases/writes.ts';

/** Wires the service by hand: stores, peers, use cases, endpoints, background work. */
function create({
  bus,
  mongo,
  clock,
  log,
  config,
  metrics,
}: MongoContext<ConfigOf<typeof jobsConfig>>): Parts {
  let running: RunningBackground | undefined;
  const nudge = (name: keyof OfOutboxes<unknown>) => () => running?.nudgeOutbox(name);
  const stopping = new AbortController();

  const jobs = jobStore(mongo);
  const lists = listStore(mongo);
  const categoryNames = categoryStore(mongo);
  const tombstones = tombstoneStore(mongo);
  const answers = answerStore(mongo, clock);
  const categories = categoriesPeer(bus, log);
  const links = linksPeer(bus, config.SEARCH_URL, log);

  const writes = writing(Math.random);
  const judgeHtml = htmlJudge();
  const unknown = unknownCategories(categories);
  const decideNew = newJobDecision({ clock, judgeHtml, unknown });
  const due = dueStore(mongo);
  const settleDue = settling(due, nudge('settlements'), stopping.signal);
  const change = jobChange({
    clock,
    jobs,
    categoryNames,
    categories,
    writes,
    judgeHtml,
    unknown,
    nudgeOutbox: nudge('jobs'),
  });
  const cleanUp = cleaningUp({ log, tombstones, categories, links, counters: countersPeer(bus) });
  const createJob = jobCreation({
    clock,
    newId: idBlocks(mongo, 'jobs'),
    jobs,
    answers,
    categoryNames,
    categories,
    companies: companiesPeer(bus),
    links,
    takeBack: takingBack({ clock, tombstones, cleanUp }),
    nudgeOutbox: nudge('jobs'),
  });
  const remove = jobDeletion({ clock, tombstones, cleanUp, writes, nudgeOutbox: nudge('tombstones') });

  const waiting = outboxes(mongo);
  watchOutbox(metrics, waiting, clock);

  const recount = listRecount(mongo);
  const tasks = {
    settle: () => settleDue.all(clock.now()),
    finishSettlements: due.finishLeft,
    relay: relay({ outboxes: waiting, bus, makeWay: settleDue.makeWay, stopping: stopping.signal }),
    upgradeLinks: upgradeLinks(linkStore(mongo), links, stopping.signal),
    cleanUpDeleted: cleanUpDeleted(tombstones, cleanUp, stopping.signal),
    forgetAnswers: forgetAnswers(answers, stopping.signal),
    countLists: countLists({
      counting: listCounting(mongo),
      recount,
      isDue: () => due.isDue(clock.now()),
      stopping: stopping.signal,
    }),
    auditLists: auditLists(recount, stopping.signal, log),
  };

  return {
    start: async () => {
      await createIndexes(mongo);
      await bus.ensureStream(contract.jobsStream);
      // The scheduler may come up later; what it will publish has its place already.
      await bus.ensureStream(contract.schedulerStream);
    },
    endpoints: [
      endpoint(contract.getJob, getJobHandler(jobs, clock), log),
      endpoint(contract.createJob, createJobHandler(jobs, decideNew, createJob, unknown), log, {
        kept: answers,
      }),
      endpoint(contract.updateJob, updateJobHandler(jobs, change, writes), log),
      endpoint(contract.putJob, putJobHandler(jobs, decideNew, createJob, change, writes), log),
      endpoint(contract.deleteJob, deleteJobHandler(jobs, remove, writes), log),
      endpoint(contract.deleteJobByReference, deleteJobByReferenceHandler(jobs, remove), log),
      endpoint(contract.listJobs, listJobsHandler(lists, settleDue, clock), log),
      endpoint(contract.listJobTypes, listJobTypesHandler(), log),
      endpoint(contract.findExistingJobs, findExistingJobsHandler(lists), log),
      endpoint(contract.applyCounts, applyCountsHandler(countStore(mongo), lists), log),
      endpoint(
        contract.findActiveCategories,
        findActiveCategoriesHandler(categoryNames, settleDue, clock),
        log,
      ),
      endpoint(contract.renameCategoryOnJobs, renameCategoryHandler(categoryNames), log),
      endpoint(contract.findHeldCategories, findHeldCategoriesHandler(categoryNames), log),
    ],
    started: async () => {
      running = startBackground(tasks, bus, log);
    },
    stop: async () => {
      stopping.abort();
      await running?.stop();
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
