import type { Mongo } from '@joblisting/service-kit';
import type { StoredKey, StoredSecret } from '../domain/key.ts';

/** Times are kept as numbers, so that a row is a key as it is. `rotation` rises with each change of the secrets. */
interface KeyRow extends Omit<StoredKey, 'id'> {
  readonly _id: number;
  readonly rotation: number;
}

/** A key together with the state of its secrets that a rotation starts from. */
export interface KeyAtRotation {
  readonly key: StoredKey;
  readonly rotation: number;
}

/** How many uses one write notes: it must end well within the socket's time-out. */
const CHUNK = 500;

export type KeyStore = ReturnType<typeof keyStore>;

/** The collection `keys`: consumers and users, each with its secrets' hashes. */
export function keyStore(mongo: Mongo) {
  const keys = mongo.collection<KeyRow>('keys');

  return {
    createIndexes: () => keys.createIndex({ 'secrets.hash': 1 }, { unique: true }),

    insert: async ({ id, ...rest }: StoredKey): Promise<void> => {
      await keys.insertOne({ _id: id, rotation: 0, ...rest });
    },

    list: async (): Promise<StoredKey[]> => {
      const rows = await keys.find().sort({ _id: 1 }).toArray();
      return rows.map(toStoredKey);
    },

    findForRotation: async (id: number): Promise<KeyAtRotation | undefined> => {
      const row = await keys.findOne({ _id: id });
      return row ? { key: toStoredKey(row), rotation: row.rotation } : undefined;
    },

    /** Undefined where the key was revoked or rotated since `before` was read. */
    replaceSecrets: async (
      { key, rotation }: KeyAtRotation,
      secrets: readonly StoredSecret[],
    ): Promise<StoredKey | undefined> => {
      const row = await keys.findOneAndUpdate(
        { _id: key.id, rotation, revokedAt: null },
        { $set: { secrets }, $inc: { rotation: 1 } },
        { returnDocument: 'after' },
      );
      return row ? toStoredKey(row) : undefined;
    },

    /** The first revocation's time stays. Undefined where there is no such key. */
    revoke: async (id: number, now: number): Promise<StoredKey | undefined> => {
      const row = await keys.findOneAndUpdate(
        { _id: id },
        [{ $set: { revokedAt: { $ifNull: ['$revokedAt', now] } } }],
        { returnDocument: 'after' },
      );
      return row ? toStoredKey(row) : undefined;
    },

    /** The keys that have one of these secrets, in one round trip. */
    findByHashes: async (hashes: readonly string[]): Promise<StoredKey[]> => {
      const rows = await keys.find({ 'secrets.hash': { $in: [...hashes] } }).toArray();
      return rows.map(toStoredKey);
    },

    /** Notes when secrets were used, by their hash; an earlier time changes nothing. */
    noteUse: async (uses: ReadonlyMap<string, number>): Promise<void> => {
      const updates = Array.from(uses, ([hash, at]) => ({
        updateOne: {
          filter: { 'secrets.hash': hash },
          update: { $max: { 'secrets.$.lastUsedAt': at } },
        },
      }));
      for (let from = 0; from < updates.length; from += CHUNK) {
        await keys.bulkWrite(updates.slice(from, from + CHUNK), { ordered: false });
      }
    },
  };
}

const toStoredKey = ({ _id, rotation: _rotation, ...rest }: KeyRow): StoredKey => ({ id: _id, ...rest });
