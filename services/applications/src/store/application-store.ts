import { createHash } from 'node:crypto';
import { ServiceError } from '@joblisting/contracts';
import { inTransaction, type KeptAnswer, type Mongo } from '@joblisting/service-kit';
import type { keptAnswersIn } from '@joblisting/service-kit/mongo';
import type { ClientSession } from 'mongoose';
import { type Application, emailKey, isDoubleClick, type ListedApplication } from '../domain/application.ts';
import { type Copy, queueAgain } from '../domain/copy.ts';
import { type ApplicationDocument, applicationModel } from '../models/application.ts';
import { erasureModel } from '../models/erasure.ts';
import { lastApplicationModel } from '../models/last-application.ts';
import type { FileContent, FileStore } from './file-store.ts';
import {
  listed,
  toApplication,
  toCopy,
  toCopyDocument,
  toDocument,
  toErasable,
  toListed,
} from './application-document.ts';

export type ApplicationStore = ReturnType<typeof applicationStore>;

/** What came of an attempt to store an application: `isNew` is false if it was stored before. */
export interface InsertResult {
  readonly application: Application;
  readonly isNew: boolean;
}

interface InsertOptions {
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** The answer to keep, for a request with an Idempotency-Key. */
  readonly keep: ((result: InsertResult) => KeptAnswer) | undefined;
}

interface QueueOptions {
  readonly to: 'failed' | 'all';
  readonly now: number;
  readonly deadline: number;
  readonly keep: ((copies: readonly Copy[]) => KeptAnswer) | undefined;
}

/** It outlasts the time for which a relay may be stopped and the stream keeps its event. */
const ERASURE_KEPT_MS = 30 * 24 * 3600_000;

/** What an erasure needs to know of an application. */
export type ErasableApplication = Pick<Application, 'id' | 'job' | 'applicant' | 'files'>;

export interface PageRequest {
  readonly companyId: number;
  readonly jobId: number | undefined;
  readonly copyState: Copy['state'] | undefined;
  readonly page: number;
  readonly pageSize: number;
}

const personKey = ({ job, applicant }: ErasableApplication): string =>
  createHash('sha256')
    .update(JSON.stringify([job.id, emailKey(applicant.email)]))
    .digest('base64url');

/** Reads, additions and erasures of applications. */
export function applicationStore(mongo: Mongo, answers: ReturnType<typeof keptAnswersIn>, files: FileStore) {
  const applications = applicationModel(mongo);
  const lastApplications = lastApplicationModel(mongo);
  const erasures = erasureModel(mongo);

  const findIn = async (session: ClientSession, filter: object): Promise<Application | undefined> => {
    const found = await applications.findOne(filter, null, { session }).lean<ApplicationDocument>();
    return found ? toApplication(found) : undefined;
  };

  const findErasable = async (filter: object, limit: number): Promise<ErasableApplication[]> => {
    const found = applications.find(filter, { job: 1, applicant: 1, files: 1 }).limit(limit);
    return (await found.lean<ApplicationDocument[]>()).map(toErasable);
  };

  const keepAnswer = async (answer: KeptAnswer, id: number, session: ClientSession): Promise<void> => {
    await answers.insertUnlessAnswered(answer, session);
    await applications.updateOne({ _id: id }, { $addToSet: { idempotencyKeys: answer.key } }, { session });
  };

  /** Stores the application, unless its referenceId or a double click finds it stored. */
  const insertOnce = async (
    candidate: Application,
    contents: readonly FileContent[],
    digest: string,
    session: ClientSession,
  ): Promise<InsertResult> => {
    const { id, consumerId, job, referenceId, receivedAt } = candidate;
    const first =
      referenceId !== null && (await findIn(session, { consumerId, 'job.id': job.id, referenceId }));
    if (first) return { application: first, isNew: false };
    const person = { _id: personKey(candidate) };
    const last = await lastApplications.findOne(person, null, { session }).lean();
    // A sender that names two applications means two.
    if (
      last &&
      referenceId === null &&
      isDoubleClick({ ...last, receivedAt: last.receivedAt.getTime() }, digest, receivedAt)
    ) {
      const repeated = await findIn(session, { _id: last.applicationId });
      if (repeated) return { application: repeated, isNew: false };
    }
    const application = { ...candidate, previousApplicationId: last?.applicationId ?? null };
    const update = { $set: { applicationId: id, receivedAt: new Date(receivedAt), digest } };
    await lastApplications.updateOne(person, update, { session, upsert: true });
    await applications.insertMany([toDocument(application)], { session, lean: true });
    await files.insert(contents, session);
    return { application, isNew: true };
  };

  return {
    /**
     * Stores an application with its files and copies in one transaction, unless it was stored before: by the consumer's
     * referenceId for the job, or a double click ago. Rejects as `inTransaction` does, and with
     * `idempotency_key_in_flight` if another replica has answered the key.
     */
    insert: (
      candidate: Application,
      contents: readonly FileContent[],
      options: InsertOptions,
    ): Promise<InsertResult> =>
      inTransaction(mongo, options.deadline, async (session) => {
        const result = await insertOnce(candidate, contents, options.digest, session);
        if (options.keep) await keepAnswer(options.keep(result), result.application.id, session);
        return result;
      }),

    find: async (id: number): Promise<Application | undefined> => {
      const found = await applications.findOne({ _id: id }).lean<ApplicationDocument>();
      return found ? toApplication(found) : undefined;
    },

    count: (companyId: number): Promise<number> => applications.countDocuments({ companyId }),

    /** A page of a company's applications, newest first, and how many there are. */
    page: async (
      request: PageRequest,
    ): Promise<{ readonly applications: ListedApplication[]; readonly total: number }> => {
      const { companyId, jobId, copyState, page, pageSize } = request;
      const filter = {
        companyId,
        ...(jobId !== undefined && { 'job.id': jobId }),
        ...(copyState !== undefined && { 'copies.state': copyState }),
      };
      const [found, total] = await Promise.all([
        applications
          .find(filter, listed)
          .sort({ receivedAt: -1, _id: -1 })
          .skip((page - 1) * pageSize)
          .limit(pageSize)
          .lean<ApplicationDocument[]>(),
        applications.countDocuments(filter),
      ]);
      return { applications: found.map(toListed), total };
    },

    /** Applications of one person in a company. */
    findByEmail: async (companyId: number, email: string, limit: number): Promise<ErasableApplication[]> => {
      const filter = { companyId, emailKey: emailKey(email) };
      return findErasable(filter, limit);
    },

    /** Applications received before `before`: of one company, or of all but some. */
    findReceivedBefore: async (
      before: number,
      companies: { readonly only: number } | { readonly except: readonly number[] },
      limit: number,
    ): Promise<ErasableApplication[]> => {
      const companyId = 'only' in companies ? companies.only : { $nin: [...companies.except] };
      const filter = { receivedAt: { $lt: new Date(before) }, companyId };
      return findErasable(filter, limit);
    },

    /** Removes the record with its files, and what is stored of it elsewhere, in one transaction. */
    erase: (application: ErasableApplication, now: number, deadline: number): Promise<void> =>
      inTransaction(mongo, deadline, async (session) => {
        const { id, job } = application;
        const removed = await applications.findOneAndDelete({ _id: id }, { session }).lean();
        if (removed) {
          const { companyId } = removed;
          const change = { kind: 'erased', jobId: job.id, companyId, at: new Date(now) } as const;
          // By the machine's time, because MongoDB uses its own, and the service's clock can be moved.
          const expireAt = new Date(Date.now() + ERASURE_KEPT_MS);
          await erasures.insertMany([{ _id: id, change, expireAt }], { session, lean: true });
        }
        await lastApplications.deleteOne({ _id: personKey(application), applicationId: id }, { session });
        await answers.empty(removed?.idempotencyKeys ?? [], session);
        const ids = application.files.map(({ storedAs }) => storedAs);
        await files.remove(ids, session);
      }),

    /** Queues copies again and resolves to all copies of the application. Rejects with `application_not_found`. */
    queueCopies: (id: number, { to, now, deadline, keep }: QueueOptions): Promise<readonly Copy[]> =>
      inTransaction(mongo, deadline, async (session) => {
        const found = await applications.findOne({ _id: id }, { copies: 1 }, { session }).lean();
        if (!found) throw new ServiceError('application_not_found');
        const copies = found.copies
          .map(toCopy)
          .map((before) => ({ before, after: queueAgain(before, to, now) }));
        for (const { before, after } of copies) {
          if (after === before) continue;
          const place = { _id: id, 'copies.no': after.no };
          await applications.updateOne(place, { $set: { 'copies.$': toCopyDocument(after) } }, { session });
        }
        const queued = copies.map(({ after }) => after);
        if (keep) await keepAnswer(keep(queued), id, session);
        return queued;
      }),
  };
}
