import { serverKind } from './kind.ts';
import type { TestNats } from './test-nats.ts';

/** Starts a nats-server that accepts connections and whose JetStream is up. */
export async function startNats(): Promise<TestNats> {
  if ((await serverKind()) === 'containers') {
    const { startNatsContainer } = await import('./nats-container.ts');
    return startNatsContainer();
  }
  const { startNatsBinary } = await import('./nats-binary.ts');
  return startNatsBinary();
}
