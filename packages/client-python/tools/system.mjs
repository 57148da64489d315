import { startMongo } from '@joblisting/testing';
import { scopes } from '@joblisting/contracts';
import { connectOperator, startSystem } from '@joblisting/testing/system';

/** Starts the whole system and makes what the tests use: two companies, and keys. */
export async function startTestSystem() {
  const mongo = process.env.TEST_MONGODB_URI ? undefined : await startMongo();
  if (mongo !== undefined) process.env.TEST_MONGODB_URI = mongo.uri;
  const system = await startSystem({ env: { MAIL: 'off' } });
  const operator = await connectOperator(system.natsUrl);
  try {
    const [company, other] = [await operator.company(), await operator.company()];
    const keys = await Promise.all([
      operator.consumerKey(scopes),
      operator.consumerKey(scopes, { writesPerMinute: 1 }),
      operator.consumerKey(['jobs:read']),
      operator.userKey([company.id, other.id]),
    ]);
    const [consumerKey, slowKey, readingKey, userKey] = keys.map(({ secret }) => secret);
    return {
      settings: {
        baseUrl: system.origin,
        consumerKey,
        slowKey,
        readingKey,
        userKey,
        companyId: company.id,
        otherCompanyId: other.id,
      },
      stop: async () => {
        await system.stop();
        await mongo?.stop();
      },
    };
  } finally {
    await operator.close();
  }
}
