import type { Consuming } from '@joblisting/bus';
import { companyChanged, jobsStream } from '@joblisting/contracts';
import {
  type Background,
  background,
  busTrouble,
  databaseTrouble,
  type MongoContext,
  type Parts,
  prepareModels,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import { listen } from '@joblisting/service-kit/http';
import type { FastifyInstance } from 'fastify';
import { apiClient } from './clients/api.ts';
import { jobsClient } from './clients/jobs.ts';
import { type SiteConfig, siteConfig } from './config.ts';
import { createTokens } from './domain/tokens.ts';
import { attemptModel } from './models/attempt.ts';
import { postingModel } from './models/posting.ts';
import { refreshModel } from './models/refresh.ts';
import { reportModel } from './models/report.ts';
import { secretModel } from './models/secret.ts';
import { submissionModel } from './models/submission.ts';
import { visitModel } from './models/visit.ts';
import { createServer } from './server.ts';
import { feedStore } from './store/feed-store.ts';
import { postingStore } from './store/posting-store.ts';
import { refreshStore } from './store/refresh-store.ts';
import { reportStore } from './store/report-store.ts';
import { searchStore } from './store/search-store.ts';
import { secretStore } from './store/secret-store.ts';
import { submissionStore } from './store/submission-store.ts';
import { visitStore } from './store/visit-store.ts';
import { followJobs } from './tasks/follow-jobs.ts';
import { refreshCompany, refreshPostings } from './tasks/refresh-postings.ts';
import { reportOutcomes, sendingReports } from './tasks/send-reports.ts';

/** How often a replica looks whether postings are to be read again. */
const LOOK_EVERY_MS = 2000;
const SEND_REPORTS_EVERY_MS = 1000;

/** Wires the service by hand: stores, tasks, server. */
function create(context: MongoContext<SiteConfig>): Parts {
  const { bus, mongo, clock, log, config, metrics } = context;
  const stopping = new AbortController();
  const postings = postingStore(mongo);
  const jobs = jobsClient(bus);
  const api = apiClient(config);
  const secrets = secretStore(mongo);
  const reports = reportStore(mongo, config.MAX_WAITING_REPORTS);
  const outcomes = reportOutcomes(metrics, reports, clock);
  const reading = { jobs, postings, clock, stopping: stopping.signal };
  let server: FastifyInstance | undefined;
  let following: Consuming | undefined;
  let refreshing: Background | undefined;
  let sending: Background | undefined;

  return {
    start: async () => {
      const forCounting = [secretModel, visitModel, reportModel, attemptModel, submissionModel];
      const models = [postingModel, refreshModel, ...forCounting];
      await prepareModels(models.map((model) => model(mongo)));
      // `jobs` may start later.
      await bus.ensureStream(jobsStream);
    },
    started: async () => {
      following = followJobs({ bus, jobs, postings, clock, log });
      const refreshes = refreshStore(mongo, clock, config.REFRESH_EVERY_MS);
      const refresh = () => refreshPostings({ ...reading, refreshes });
      refreshing = background('refresh postings', LOOK_EVERY_MS, refresh, log);
      bus.listen(companyChanged, ({ companyId }) => {
        refreshCompany(reading, companyId).catch((err: unknown) =>
          log.warn({ err, companyId }, 'could not read the jobs of a company again'),
        );
      });
      const sendReports = sendingReports({ reports, api, log, outcomes, stopping: stopping.signal });
      sending = background('send reports', SEND_REPORTS_EVERY_MS, sendReports, log);
      server = await createServer({
        ...context,
        notReady: async () => (await busTrouble(bus)) ?? databaseTrouble(mongo),
        postings,
        searches: searchStore(mongo),
        feeds: feedStore(mongo),
        api,
        tokens: createTokens(await secrets.ofTokens()),
        visits: visitStore(mongo, secrets),
        reports,
        submissions: submissionStore(mongo),
        onReportRefused: () => outcomes.inc({ outcome: 'refused' }),
      });
      const address = await listen(server, config.HOST, config.PORT);
      log.info({ address }, 'listening');
    },
    closing: async () => server?.close(),
    stop: async () => {
      stopping.abort();
      await Promise.all([following?.stop(), refreshing?.stop(), sending?.stop()]);
    },
  };
}

export const siteService: ServiceDefinition<SiteConfig> = {
  name: 'site',
  description: 'The public job-search site: search, job pages, applications, feeds',
  config: siteConfig,
  mongo: true,
  create,
};
