import { serverKind } from './kind.ts';
import type { TestNats } from './test-nats.ts';

/**
 * Starts a nats-server that accepts connections and whose JetStream is up.
 * @param settings more lines of its configuration
 */
export async function startNats(settings = ''): Promise<TestNats> {
  if ((await serverKind()) === 'containers') {
    const { startNatsContainer } = await import('./nats-container.ts');
    return startNatsContainer(settings);
  }
  const { startNatsBinary } = await import('./nats-binary.ts');
  return startNatsBinary(settings);
}
