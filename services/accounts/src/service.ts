import * as contract from '@joblisting/contracts';
import {
  type Background,
  background,
  type ConfigOf,
  endpoint,
  type MongoContext,
  type Parts,
  prepareModels,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import { idBlocks } from '@joblisting/service-kit/mongo';
import { Type } from 'typebox';
import { companyOwners } from './clients/company-owners.ts';
import {
  createCompanyHandler,
  getCompanyHandler,
  listCompaniesHandler,
  renameCompanyHandler,
} from './handlers/companies.ts';
import { deleteCompanyHandler } from './handlers/delete-company.ts';
import { issueConsumerKeyHandler, issueUserKeyHandler, keyIssuer } from './handlers/issue-keys.ts';
import {
  listKeysHandler,
  resolveGrantsHandler,
  revokeKeyHandler,
  rotateKeyHandler,
} from './handlers/keys.ts';
import { lastUsed } from './last-used.ts';
import { companyModel } from './models/company.ts';
import { keyModel } from './models/key.ts';
import { companyStore } from './store/company-store.ts';
import { deletionStore } from './store/deletion-store.ts';
import { keyStore } from './store/key-store.ts';
import { renameStore } from './store/rename-store.ts';
import { finishDeletions } from './tasks/finish-deletions.ts';
import { pushRenames } from './tasks/push-renames.ts';

const settings = {
  LAST_USED_EVERY_MS: Type.Integer({
    default: 60_000,
    minimum: 10,
    description: 'How often it is written down which keys were used.',
  }),
};

/** One index probe if nothing is due. */
const FOLLOW_UP_EVERY_MS = 2000;

function create({ config, mongo, bus, clock, log }: MongoContext<ConfigOf<typeof settings>>): Parts {
  const companies = companyStore(mongo, idBlocks(mongo, 'companies', 1));
  const renames = renameStore(mongo);
  const keys = keyStore(mongo);
  const deletions = deletionStore(mongo, keys);
  const owners = companyOwners(bus);
  const issue = keyIssuer(keys, idBlocks(mongo, 'keys', 1), clock);
  const used = lastUsed(keys.noteUse);
  const stopping = new AbortController();
  let pushing: Background | undefined;
  let tasks: readonly Background[] = [];
  const onRenamed = (companyId: number): void => {
    bus.notify(contract.companyChanged, { companyId });
    pushing?.trigger();
  };

  return {
    start: () => prepareModels([companyModel(mongo), keyModel(mongo)]),
    endpoints: [
      endpoint(contract.resolveGrants, resolveGrantsHandler(keys, used, clock), log),
      endpoint(contract.getCompany, getCompanyHandler(companies), log),
      endpoint(contract.createCompany, createCompanyHandler(companies), log),
      endpoint(contract.renameCompany, renameCompanyHandler(renames, onRenamed, clock), log),
      endpoint(contract.deleteCompany, deleteCompanyHandler({ deletions, owners, bus, clock }), log),
      endpoint(contract.listCompanies, listCompaniesHandler(companies), log),
      endpoint(contract.issueConsumerKey, issueConsumerKeyHandler(issue), log),
      endpoint(contract.issueUserKey, issueUserKeyHandler(companies, issue), log),
      endpoint(contract.rotateKey, rotateKeyHandler(keys, bus, clock), log),
      endpoint(contract.revokeKey, revokeKeyHandler(keys, bus, clock), log),
      endpoint(contract.listKeys, listKeysHandler(keys), log),
    ],
    started: async () => {
      const push = pushRenames({ renames, owners, clock, log, stopping: stopping.signal });
      const finish = finishDeletions({ deletions, owners, bus, clock, log, stopping: stopping.signal });
      pushing = background('push names of companies', FOLLOW_UP_EVERY_MS, push, log);
      tasks = [
        pushing,
        background('finish deletions of companies', FOLLOW_UP_EVERY_MS, finish, log),
        background('write last use of keys', config.LAST_USED_EVERY_MS, used.write, log),
      ];
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(tasks.map((task) => task.stop()));
      await used.write();
    },
  };
}

export const accountsService: ServiceDefinition<ConfigOf<typeof settings>> = {
  name: 'accounts',
  description: 'Companies, consumers, users and their keys',
  config: settings,
  mongo: true,
  create,
};
