import { type Company, foldName, nameKey } from '@joblisting/contracts';
import { isDuplicateKey, type Mongo, type NextId, readDurably } from '@joblisting/service-kit';
import { type CompanyDocument, companyModel } from '../models/company.ts';

/** The company that has a name. `isTaken`: it had the name before this call. */
export interface NamedCompany {
  readonly company: Company;
  readonly isTaken: boolean;
}

/** What every look-up of companies asks for. */
export const isPresent = { deletedAt: { $exists: false } } as const;

export type CompanyStore = ReturnType<typeof companyStore>;

export function companyStore(mongo: Mongo, nextId: NextId) {
  const companies = companyModel(mongo);

  return {
    /** Makes a company, or finds the one that has the name, in whatever case. */
    create: async (sent: string): Promise<NamedCompany> => {
      const name = foldName(sent);
      const key = nameKey(sent);
      // The index decides; looking first only keeps ids dense.
      const holder = await companies.findOne({ nameKey: key }).lean();
      if (holder) return { company: toCompany(holder), isTaken: true };
      const document = { _id: await nextId(), name, nameKey: key };
      try {
        await companies.insertOne(document);
        return { company: toCompany(document), isTaken: false };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const faster = await readDurably(mongo, (options) =>
          companies.findOne({ nameKey: key }, undefined, options).lean(),
        );
        if (!faster) throw error;
        return { company: toCompany(faster), isTaken: true };
      }
    },

    find: async (id: number): Promise<Company | undefined> => {
      const document = await companies.findOne({ _id: id, ...isPresent }).lean();
      return document ? toCompany(document) : undefined;
    },

    list: async (): Promise<Company[]> =>
      (await companies.find(isPresent).sort({ _id: 1 }).lean()).map(toCompany),

    /** Which of these companies exist. */
    existing: async (ids: readonly number[]): Promise<Set<number>> => {
      const documents = await companies.find({ _id: { $in: [...ids] }, ...isPresent }, { _id: 1 }).lean();
      return new Set(documents.map(({ _id }) => _id));
    },
  };
}

export const toCompany = ({ _id, name }: CompanyDocument): Company => ({ id: _id, name });
