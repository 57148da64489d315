// The settings that containers take from their environment, from the code of the services.
import { serviceNames } from '@joblisting/contracts/permissions';
import { commonConfig, mongoConfig } from '@joblisting/service-kit';

/** What docker-compose.yml and the image decide, and what is for trials or needs files. */
const fixed =
  /^(NODE_ENV|HOST|PORT|HEALTH_HOST|HEALTH_PORT|CLOCK_OFFSET_MS|MAIL_DIR|CONSUMER_KEY_FILE|NATS_.*|MONGODB_.*|LOG_LEVEL|OTEL_EXPORTER_OTLP_ENDPOINT)$/;

const settingsOf = async (name) => {
  const exported = await import(`@joblisting/${name}`);
  const { mongo, config } = exported[`${name}Service`];
  const all = { ...commonConfig, ...(mongo && mongoConfig), ...config };
  return Object.keys(all).filter((setting) => !fixed.test(setting));
};

/** Names by service. */
export const openSettings = Object.fromEntries(
  await Promise.all(serviceNames.map(async (name) => [name, await settingsOf(name)])),
);
