import type { Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import type { StoredKey, StoredSecret } from '../domain/key.ts';
import { type KeyDocument, keyModel } from '../models/key.ts';

/** A key together with the state of its secrets that a rotation starts from. */
export interface KeyAtRotation {
  readonly key: StoredKey;
  readonly rotation: number;
}

/** The ids of the keys that lost a company: `narrowed` ones still grant others. */
export interface RemovedFromKeys {
  readonly revoked: number[];
  readonly narrowed: number[];
}

/** How many uses one write notes: it must end well within the socket's time-out. */
const CHUNK = 500;

export type KeyStore = ReturnType<typeof keyStore>;

export function keyStore(mongo: Mongo) {
  const keys = keyModel(mongo);

  return {
    insert: async ({ id, ...rest }: StoredKey): Promise<void> => {
      const scopes = [...rest.scopes];
      const companyIds = [...rest.companyIds];
      const secrets = [...rest.secrets];
      await keys.insertOne({ _id: id, rotation: 0, ...rest, scopes, companyIds, secrets });
    },

    list: async (): Promise<StoredKey[]> => (await keys.find().sort({ _id: 1 }).lean()).map(toStoredKey),

    findForRotation: async (id: number): Promise<KeyAtRotation | undefined> => {
      const document = await keys.findById(id).lean();
      return document ? { key: toStoredKey(document), rotation: document.rotation } : undefined;
    },

    /** Undefined if the key was revoked or rotated since `before` was read. */
    replaceSecrets: async (
      { key, rotation }: KeyAtRotation,
      secrets: readonly StoredSecret[],
    ): Promise<StoredKey | undefined> => {
      const document = await keys
        .findOneAndUpdate(
          { _id: key.id, rotation, revokedAt: null },
          { $set: { secrets }, $inc: { rotation: 1 } },
          { returnDocument: 'after' },
        )
        .lean();
      return document ? toStoredKey(document) : undefined;
    },

    /** The first revocation's time stays. Undefined if there is no such key. */
    revoke: async (id: number, now: number): Promise<StoredKey | undefined> => {
      await keys.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: now } });
      const document = await keys.findById(id).lean();
      return document ? toStoredKey(document) : undefined;
    },

    /**
     * Revokes the user keys that grant only this company, and takes it from the others. `revoked` names keys of an
     * earlier call too.
     */
    removeCompany: async (
      companyId: number,
      now: number,
      session: ClientSession,
    ): Promise<RemovedFromKeys> => {
      const only = { companyIds: [companyId] };
      await keys.updateMany({ ...only, revokedAt: null }, { $set: { revokedAt: now } }, { session });
      const shared = { companyIds: companyId, 'companyIds.1': { $exists: true } };
      const others = await keys.find(shared, { _id: 1 }, { session }).sort({ _id: 1 }).lean();
      const narrowed = others.map(({ _id }) => _id);
      await keys.updateMany({ _id: { $in: narrowed } }, { $pull: { companyIds: companyId } }, { session });
      const revoked = await keys.find(only, { _id: 1 }, { session }).sort({ _id: 1 }).lean();
      return { revoked: revoked.map(({ _id }) => _id), narrowed };
    },

    /** The keys that have one of these secrets, in one round trip. */
    findByHashes: async (hashes: readonly string[]): Promise<StoredKey[]> => {
      const documents = await keys.find({ 'secrets.hash': { $in: [...hashes] } }).lean();
      return documents.map(toStoredKey);
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

const toStoredKey = ({ _id, rotation: _rotation, ...rest }: KeyDocument): StoredKey => ({ id: _id, ...rest });
