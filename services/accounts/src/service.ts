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
  type Background,
  background,
  type ConfigOf,
  endpoint,
  prepareModels,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import { idBlocks } from '@joblisting/service-kit/mongo';
import { Type } from 'typebox';
import { createCompanyHandler, getCompanyHandler, listCompaniesHandler } from './handlers/companies.ts';
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
import { keyStore } from './store/key-store.ts';

const config = {
  LAST_USED_EVERY_MS: Type.Integer({
    default: 60_000,
    minimum: 10,
    description: 'How often it is written down which keys were used.',
  }),
};

export const accountsService: ServiceDefinition<ConfigOf<typeof config>> = {
  name: 'accounts',
  description: 'Companies, consumers, users and their keys',
  config,
  mongo: true,
  create: ({ config, mongo, bus, clock, log }) => {
    const companies = companyStore(mongo, idBlocks(mongo, 'companies', 1));
    const keys = keyStore(mongo);
    const issue = keyIssuer(keys, idBlocks(mongo, 'keys', 1), clock);
    const used = lastUsed(keys.noteUse);
    let writing: Background | undefined;
    return {
      start: () => prepareModels([companyModel(mongo), keyModel(mongo)]),
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
