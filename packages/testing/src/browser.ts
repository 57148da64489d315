import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The path of Chromium: `CHROMIUM_BIN`, else from PATH; undefined without one. */
export function findBrowser(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = directories.flatMap((directory) => names.map((name) => join(directory, name)));
  return [process.env['CHROMIUM_BIN'] ?? '', ...onPath].find((path) => path !== '' && existsSync(path));
}

/** A page in its own headless browser. */
export interface Page {
  /** Every URL that the page requested. */
  readonly requests: readonly string[];
  /** Errors of the page: exceptions, failed loads, violations of its security policy. */
  readonly complaints: readonly string[];
  readonly open: (url: string) => Promise<void>;
  /** Evaluates an expression in the page and resolves to its awaited value. */
  readonly run: <T>(expression: string) => Promise<T>;
  /** Shows the page as a phone with a screen of this size would. */
  readonly resize: (width: number, height: number) => Promise<void>;
  /** Shows pages as somebody with a light or dark desktop sees them. */
  readonly preferColorScheme: (scheme: 'light' | 'dark') => Promise<void>;
  /** Sends another user agent than that of a headless browser, which is known as a robot's. */
  readonly setUserAgent: (userAgent: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
];

/** Starts a browser and controls it by the Chrome DevTools Protocol. */
export async function openBrowser(program: string): Promise<Page> {
  const profile = await mkdtemp(join(tmpdir(), 'browser-'));
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { origin } = new URL(await debuggingAddress(child));
  const targets = await (await fetch(`${origin.replace('ws:', 'http:')}/json/list`)).json();
  const { webSocketDebuggerUrl } = (targets as { type: string; webSocketDebuggerUrl: string }[]).find(
    ({ type }) => type === 'page',
  )!;
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');

  const requests: string[] = [];
  const complaints: string[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  let loaded: () => void = () => undefined;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method === 'Page.loadEventFired') loaded();
    if (message.method === 'Network.requestWillBeSent') requests.push(message.params?.request?.url ?? '');
    const entry = message.params?.entry;
    if (entry?.level === 'error') complaints.push(`${entry.text} ${entry.url ?? ''}`);
    if (message.method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(message.params));
  });

  let counter = 0;
  const send = async (method: string, params: object = {}): Promise<Message> => {
    const id = ++counter;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    return answer;
  };
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await send(`${domain}.enable`);

  return {
    requests,
    complaints,
    open: async (url) => {
      const load = new Promise<void>((resolve) => {
        loaded = resolve;
      });
      await send('Page.navigate', { url });
      await load;
    },
    run: async <T>(expression: string) => {
      const { result } = await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (result?.exceptionDetails) throw new Error(JSON.stringify(result.exceptionDetails));
      return result?.result?.value as T;
    },
    resize: async (width, height) => {
      await send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: true,
      });
    },
    preferColorScheme: async (scheme) => {
      const features = [{ name: 'prefers-color-scheme', value: scheme }];
      await send('Emulation.setEmulatedMedia', { features });
    },
    setUserAgent: async (userAgent) => {
      await send('Emulation.setUserAgentOverride', { userAgent });
    },
    close: async () => {
      const exited = once(child, 'exit');
      socket.close();
      child.kill('SIGKILL');
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly request?: { url: string };
    readonly entry?: { level: string; text: string; url?: string };
  };
  readonly result?: { readonly result?: { value?: unknown }; readonly exceptionDetails?: object };
}

async function debuggingAddress(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of child.stderr!) {
    output += chunk;
    const address = /DevTools listening on (\S+)/.exec(output)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`The browser did not start: ${output}`);
}
