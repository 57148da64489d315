import { randomUUID } from 'node:crypto';
import * as contract from '@joblisting/contracts';
import {
  endpoint,
  type MongoContext,
  type Parts,
  prepareModels,
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
import { clamdAt } from './clients/clamd.ts';
import { companiesClient } from './clients/companies.ts';
import { jobsClient } from './clients/jobs.ts';
import { type ApplicationsConfig, applicationsConfig, checkConfig, DEFAULT_SENDER } from './config.ts';
import { createApplicationHandler } from './handlers/create-application.ts';
import { deleteApplicationHandler, eraseApplicantHandler } from './handlers/erase.ts';
import { copiesIdentity, queueCopiesHandler } from './handlers/queue-copies.ts';
import {
  countApplicationsHandler,
  getApplicationFileHandler,
  getApplicationHandler,
  listApplicationsHandler,
} from './handlers/read-applications.ts';
import { setRetentionHandler } from './handlers/set-retention.ts';
import { readSubmission, submissionIdentity } from './handlers/read-submission.ts';
import { mailerOf } from './mail/mailer.ts';
import { allModels } from './models/all.ts';
import { applicationStore } from './store/application-store.ts';
import { copyStore } from './store/copy-store.ts';
import { fileStore } from './store/file-store.ts';
import { retentionStore } from './store/retention-store.ts';
import { scanStore } from './store/scan-store.ts';
import { answersOfErased } from './store/answers-of-erased.ts';
import {
  applicationMessage,
  type PresentDocument,
  presentChanges,
  presentFields,
} from './tasks/application-message.ts';
import { eraseExpired } from './tasks/erase-expired.ts';
import { scanningFiles } from './tasks/scan-files.ts';
import { sendingCopies } from './tasks/send-copies.ts';
import { type RunningTasks, startTasks } from './tasks/start-tasks.ts';
import { watchQueues } from './tasks/watch-queues.ts';

/** The lease of a copy outlasts sending it by this. */
const LEASE_MARGIN_MS = 15_000;
const SCAN_TIMEOUT_MS = 30_000;

/** Wires the service by hand: stores, endpoints, tasks. */
function create(context: MongoContext<ApplicationsConfig>): Parts {
  const { bus, mongo, clock, log, config, metrics, connectPatiently } = context;
  checkConfig(config);
  const stopping = new AbortController();
  const { signal } = stopping;
  let tasks: RunningTasks | undefined;
  let stopRelay: (() => Promise<void>) | undefined;
  const onStored = () => tasks?.trigger();

  const answers = keptAnswersIn(mongo, 'idempotency', clock);
  const files = fileStore(mongo);
  const applications = applicationStore(mongo, answers, files);
  const copies = copyStore(mongo);
  const scans = scanStore(mongo, files);
  const retention = retentionStore(mongo);
  const mailer = mailerOf(config);
  const relay = relayStore(mongo, {
    name: 'applications',
    collections: ['applications', 'erasures'],
    projection: presentFields,
    presentChanges: (document: PresentDocument) => presentChanges(document, clock.now()),
  });
  const relayGauges = relayMetrics(metrics);
  const isMailOn = config.MAIL !== 'off';
  watchQueues(metrics, { oldestDue: isMailOn ? copies.oldestDue : undefined, scans, clock });

  const publicUrl = config.PUBLIC_URL.replace(/\/+$/, '');
  const sending = sendingCopies({
    copies,
    files,
    mailer,
    sender: {
      from: config.MAIL_FROM ?? DEFAULT_SENDER,
      addressOf: (id) => `${publicUrl}/v1.0/applications/${id}`,
    },
    clock,
    log,
    metrics,
    atOnce: config.MAIL_CONNECTIONS,
    leaseMs: config.MAIL_TIMEOUT_MS + LEASE_MARGIN_MS,
    stopping: signal,
  });
  const { CLAMD_URL } = config;
  const scan = CLAMD_URL === undefined ? undefined : clamdAt(CLAMD_URL, SCAN_TIMEOUT_MS);
  const createDeps = {
    applications,
    jobs: jobsClient(bus),
    clock,
    newId: idBlocks(mongo, 'applications'),
    newFileId: randomUUID,
    isScanned: scan !== undefined,
    onStored,
  };

  return {
    start: async () => {
      await prepareModels(allModels(mongo));
      await answers.createIndexes();
      await relay.prepare();
      await bus.ensureStream(contract.applicationsStream);
      // The scheduler may come up later; what it will publish has its place already.
      await bus.ensureStream(contract.schedulerStream);
    },
    endpoints: [
      endpoint(contract.createApplication, createApplicationHandler(createDeps), log, {
        readBody: readSubmission,
        kept: answersOfErased(answers),
        identity: submissionIdentity,
      }),
      endpoint(contract.listApplications, listApplicationsHandler(applications), log),
      endpoint(contract.getApplication, getApplicationHandler(applications), log),
      endpoint(contract.getApplicationFile, getApplicationFileHandler(applications, files), log),
      endpoint(contract.deleteApplication, deleteApplicationHandler(applications, clock), log),
      endpoint(contract.eraseApplicant, eraseApplicantHandler(applications, clock), log),
      endpoint(contract.queueCopies, queueCopiesHandler(applications, clock, onStored), log, {
        kept: answersOfErased(answers),
        identity: copiesIdentity,
      }),
      endpoint(contract.setRetention, setRetentionHandler(companiesClient(bus), retention), log),
      endpoint(contract.countApplications, countApplicationsHandler(applications), log),
    ],
    started: async () => {
      if (!scan) await scans.skipPending();
      tasks = startTasks(
        {
          sendCopies: isMailOn ? sending.run : undefined,
          scanFiles: scan && scanningFiles({ scans, files, scan, log, stopping: signal }),
          eraseExpired: () =>
            eraseExpired({
              applications,
              retention,
              clock,
              days: config.APPLICATION_RETENTION_DAYS,
              stopping: signal,
            }),
        },
        bus,
        log,
      );
      stopRelay = startRelay({
        store: relay,
        patient: await connectPatiently(RELAY_READ_TIMEOUT_MS),
        bus,
        log,
        metrics: relayGauges,
        messageOf: applicationMessage,
      });
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([tasks?.stop(), stopRelay?.()]);
      await sending.stop();
    },
  };
}

export const applicationsService: ServiceDefinition<ApplicationsConfig> = {
  name: 'applications',
  description: 'Applications with their files, and copies of them by e-mail',
  config: applicationsConfig,
  mongo: true,
  create,
};
