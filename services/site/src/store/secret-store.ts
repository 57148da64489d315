import { randomBytes } from 'node:crypto';
import { isDuplicateKey, type Mongo } from '@joblisting/service-kit';
import { type SecretDocument, secretModel } from '../models/secret.ts';

export type SecretStore = ReturnType<typeof secretStore>;

const SECRET_BYTES = 32;
const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

export function secretStore(mongo: Mongo) {
  const secrets = secretModel(mongo);

  const read = async (id: SecretDocument['_id']): Promise<SecretDocument> => {
    const found = await secrets.findOne({ _id: id }).lean<SecretDocument>();
    if (!found) throw new Error(`There is no secret ${id}.`);
    return found;
  };
  return {
    /** Signs tokens. Made at the first start. */
    ofTokens: async (): Promise<string> => {
      await secrets.updateOne({ _id: 'tokens' }, { $setOnInsert: { value: newSecret() } }, { upsert: true });
      return (await read('tokens')).value;
    },

    /** Salts the hashes of visitors. A new day's salt replaces the last one; no process remembers it. */
    ofVisitors: async (now: number): Promise<string> => {
      const day = new Date(now).toISOString().slice(0, 10);
      const current = await secrets.findOne({ _id: 'visitors', day: { $gte: day } }).lean<SecretDocument>();
      if (current) return current.value;
      const isYesterdays = { _id: 'visitors', day: { $lt: day } } as const;
      const renewed = secrets.updateOne(
        isYesterdays,
        { $set: { day, value: newSecret() } },
        { upsert: true },
      );
      await renewed.exec().catch((error: unknown) => {
        // Another replica was faster.
        if (!isDuplicateKey(error)) throw error;
      });
      return (await read('visitors')).value;
    },
  };
}
