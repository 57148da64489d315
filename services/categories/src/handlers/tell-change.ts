import type { Bus } from '@joblisting/bus';
import { categoriesChanged, type Operation } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';

/**
 * Tells whoever remembers categories that one may have changed. NATS hands on what one connection sends in the order
 * in which it was sent: told before the answer, they know before whoever asked for the change.
 */
export const changeTeller = (bus: Pick<Bus, 'notify'>) => (): void => bus.notify(categoriesChanged, {});

/** Tells after each request, whatever came of it: of one that failed nobody knows what it changed. */
export function tellingChange<O extends Operation>(handler: Handler<O>, tell: () => void): Handler<O> {
  return async (request) => {
    try {
      return await handler(request);
    } finally {
      tell();
    }
  };
}
