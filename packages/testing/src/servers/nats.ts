import { serverKind } from './kind.ts';
import { type NatsSettings, natsSettings } from './nats-settings.ts';
import type { TestNats } from './test-nats.ts';

/**
 * Starts a nats-server that accepts connections and whose JetStream is up.
 * @param settings more lines of its configuration
 */
export async function startNats(settings: string | NatsSettings = ''): Promise<TestNats> {
  if ((await serverKind()) === 'containers') {
    const { startNatsContainer } = await import('./nats-container.ts');
    return startNatsContainer(natsSettings(settings));
  }
  const { startNatsBinary } = await import('./nats-binary.ts');
  return startNatsBinary(natsSettings(settings));
}
