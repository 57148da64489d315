import {
  createCompany,
  getCompany,
  issueConsumerKey,
  issueUserKey,
  listCompanies,
  listKeys,
  resolveGrants,
  revokeKey,
  rotateKey,
} from '@joblisting/contracts';
import {
  type ConfigOf,
  type Background,
  background,
  endpoint,
  idBlocks,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import { config } from './config.ts';
import { createCompanyHandler } from './handlers/create-company.ts';
import { getCompanyHandler } from './handlers/get-company.ts';
import { issueConsumerKeyHandler } from './handlers/issue-consumer-key.ts';
import { issueKeyWith } from './handlers/issue-key.ts';
import { issueUserKeyHandler } from './handlers/issue-user-key.ts';
import { listCompaniesHandler } from './handlers/list-companies.ts';
import { listKeysHandler } from './handlers/list-keys.ts';
import { resolveGrantsHandler } from './handlers/resolve-grants.ts';
import { revokeKeyHandler } from './handlers/revoke-key.ts';
import { rotateKeyHandler } from './handlers/rotate-key.ts';
import { lastUsed } from './last-used.ts';
import { companyStore } from './store/company-store.ts';
import { keyStore } from './store/key-store.ts';

export const accountsService: ServiceDefinition<ConfigOf<typeof config>> = {
  name: 'accounts',
  description: 'Companies, consumers, users and their keys',
  config,
  mongo: true,
  create: ({ config, mongo, bus, clock, log }) => {
    const companies = companyStore(mongo, idBlocks(mongo, 'companies', 1));
    const keys = keyStore(mongo);
    const issue = issueKeyWith(keys, idBlocks(mongo, 'keys', 1), clock);
    const used = lastUsed(keys.noteUse);
    let writing: Background | undefined;
    return {
      start: async () => {
        await Promise.all([companies.createIndexes(), keys.createIndexes()]);
      },
      endpoints: [
        endpoint(resolveGrants, resolveGrantsHandler(keys, used, clock), log),
        endpoint(getCompany, getCompanyHandler(companies), log),
        endpoint(createCompany, createCompanyHandler(companies), log),
        endpoint(listCompanies, listCompaniesHandler(companies), log),
        endpoint(issueConsumerKey, issueConsumerKeyHandler(issue), log),
        endpoint(issueUserKey, issueUserKeyHandler(companies, issue), log),
        endpoint(rotateKey, rotateKeyHandler(keys, bus, clock), log),
        endpoint(revokeKey, revokeKeyHandler(keys, bus, clock), log),
        endpoint(listKeys, listKeysHandler(keys), log),
      ],
      started: async () => {
        writing = background('write last use of keys', config.LAST_USED_EVERY_MS, used.write, log);
      },
      stop: async () => {
        await writing?.stop();
        await used.write();
      },
    };
  },
};
