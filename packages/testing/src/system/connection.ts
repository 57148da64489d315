import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface Hit {
  /** 0 where no answer came. */
  readonly status: number;
  readonly ms: number;
  readonly hasRetryAfter: boolean;
}

/** A connection that carries one request after the other. */
export interface Connection {
  readonly ask: (request: string) => Promise<Hit>;
  /** False once the other side has hung up. */
  readonly isOpen: () => boolean;
  /** Gives up what is under way since before this moment of the monotonic clock. */
  readonly giveUpBefore: (moment: number) => void;
  readonly close: () => void;
}

const HEAD_END = '\r\n\r\n';

/**
 * As little of an HTTP/1.1 client as the load needs: answers have a Content-Length, or no body. A whole client costs
 * five times as much, and the load shares the cores with what it measures.
 */
export function openConnection(host: string, port: number): Connection {
  const socket: Socket = connect(port, host).setNoDelay(true);
  let isOpen = true;
  let under: { readonly since: number; readonly resolve: (hit: Hit) => void } | undefined;
  let head = '';
  let bodyLeft: number | undefined;
  let answer = { status: 0, hasRetryAfter: false };

  const end = (what: typeof answer): void => {
    const done = under;
    under = undefined;
    head = '';
    bodyLeft = undefined;
    done?.resolve({ ...what, ms: performance.now() - done.since });
  };
  const hangUp = (): void => {
    isOpen = false;
    socket.destroy();
    end({ status: 0, hasRetryAfter: false });
  };
  const take = (chunk: Buffer): void => {
    let from = 0;
    if (bodyLeft === undefined) {
      const before = head.length;
      head += chunk.toString('latin1');
      const headEnd = head.indexOf(HEAD_END);
      if (headEnd < 0) return;
      from = headEnd + HEAD_END.length - before;
      answer = { status: Number(head.slice(9, 12)), hasRetryAfter: /\r\nretry-after:/i.test(head) };
      bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (/\r\nconnection: *close/i.test(head)) isOpen = false;
    }
    bodyLeft -= chunk.length - from;
    if (bodyLeft <= 0) end(answer);
  };
  socket.on('data', take).on('error', hangUp).on('close', hangUp);

  return {
    ask: (request) =>
      new Promise((resolve) => {
        under = { since: performance.now(), resolve };
        if (isOpen) socket.write(request);
        else hangUp();
      }),
    isOpen: () => isOpen,
    giveUpBefore: (moment) => {
      if (under && under.since < moment) hangUp();
    },
    close: hangUp,
  };
}
