import { type Company, foldName, nameKey } from '@joblisting/contracts';
import { isDuplicateKey, type Mongo, type NextId, readDurably } from '@joblisting/service-kit';

interface CompanyRow {
  readonly _id: number;
  readonly name: string;
  readonly nameKey: string;
}

/** What came of an attempt to take a name: the company that has it now, `taken` where it had it before. */
export interface Naming {
  readonly company: Company;
  readonly taken: boolean;
}

export type CompanyStore = ReturnType<typeof companyStore>;

/** The collection `companies`. */
export function companyStore(mongo: Mongo, nextId: NextId) {
  const companies = mongo.collection<CompanyRow>('companies');

  return {
    createIndexes: () => companies.createIndex({ nameKey: 1 }, { unique: true }),

    /** Makes a company, or gives the one that has the name, in whatever case. */
    create: async (sent: string): Promise<Naming> => {
      const name = foldName(sent);
      const key = nameKey(sent);
      // The index decides; looking first only keeps ids dense.
      const holder = await companies.findOne({ nameKey: key });
      if (holder) return { company: toCompany(holder), taken: true };
      const row = { _id: await nextId(), name, nameKey: key };
      try {
        await companies.insertOne(row);
        return { company: toCompany(row), taken: false };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const faster = await readDurably(mongo, (options) => companies.findOne({ nameKey: key }, options));
        if (!faster) throw error;
        return { company: toCompany(faster), taken: true };
      }
    },

    find: async (id: number): Promise<Company | undefined> => {
      const row = await companies.findOne({ _id: id });
      return row ? toCompany(row) : undefined;
    },

    list: async (): Promise<Company[]> => {
      const rows = await companies.find().sort({ _id: 1 }).toArray();
      return rows.map(toCompany);
    },

    /** Which of these companies exist. */
    existing: async (ids: readonly number[]): Promise<Set<number>> => {
      const rows = await companies.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray();
      return new Set(rows.map(({ _id }) => _id));
    },
  };
}

const toCompany = ({ _id, name }: CompanyRow): Company => ({ id: _id, name });
