import { sum } from '../statistics.ts';

/** Where a sample was taken, as the inspector says it. Lines count from 0. */
export interface Frame {
  readonly functionName: string;
  readonly scriptId: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** A function as it is called on one way from the root. */
export interface ProfileNode {
  readonly id: number;
  readonly callFrame: Frame;
  readonly hitCount?: number;
  readonly children?: readonly number[];
}

/** What is read of a CPU profile of the inspector. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
}

/** Something that takes CPU. The share is of all samples in which the process was busy. */
export interface Part {
  readonly name: string;
  readonly share: number;
}

export interface HotFunction extends Part {
  /** Native functions have none: instead, for whom they work. */
  readonly file: string;
}

/** Where the CPU of a process goes. */
export interface CpuShares {
  /** In how many samples it was busy: few of them say little. */
  readonly samples: number;
  /** The dearest first, and the small ones together as the last. */
  readonly parts: readonly Part[];
  /** Those that take most themselves, without what they call. */
  readonly functions: readonly HotFunction[];
}

/** Where the CPU of a process goes that took part in an arm. */
export interface ProcessProfile extends CpuShares {
  readonly process: string;
  /** Its measured CPU for each request. */
  readonly micros: number;
}

const NATIVE = 'system calls and native';
const COLLECTOR = 'garbage collector';
const GENERATED = 'generated code';
const NODE = 'node';
const ELSEWHERE = 'other files';
const OTHER = 'other';
const LEAST_SHARE = 0.01;
const MOST_FUNCTIONS = 10;

interface BusyNode {
  readonly frame: Frame;
  readonly part: string;
  /** For whom it works, where it has no file. */
  readonly client: string;
  readonly hits: number;
  readonly share: number;
}

export function sharesOf({ nodes }: CpuProfile): CpuShares {
  const busy = busyNodes(nodes);
  return {
    samples: sum(busy.map(({ hits }) => hits)),
    parts: withOther(partsOf(busy)),
    functions: dearestFirst(functionsOf(busy)).slice(0, MOST_FUNCTIONS),
  };
}

/** Each sample counts the same, however long ago the last one was: a process that waits for a core is not sampled. */
function busyNodes(nodes: readonly ProfileNode[]): BusyNode[] {
  const busy = nodes.filter(({ callFrame }) => callFrame.functionName !== '(idle)');
  const total = sum(busy.map(({ hitCount = 0 }) => hitCount));
  const clientOf = clients(nodes);
  return busy.flatMap((node) => {
    const { callFrame: frame, hitCount: hits = 0 } = node;
    if (hits === 0) return [];
    return [{ frame, part: partOf(frame), client: clientOf(node), hits, share: hits / total }];
  });
}

function partsOf(busy: readonly BusyNode[]): Part[] {
  const shares = new Map<string, number>();
  for (const { part, share } of busy) shares.set(part, (shares.get(part) ?? 0) + share);
  return [...shares].map(([name, share]) => ({ name, share }));
}

/** A function is called on many ways, and is a node on each of them. */
function functionsOf(busy: readonly BusyNode[]): HotFunction[] {
  const found = new Map<string, HotFunction>();
  for (const { frame, part, client, share } of busy) {
    const name = frame.functionName || '(anonymous)';
    const file = part === NATIVE ? client : fileOf(frame);
    const key = `${name} ${file}`;
    found.set(key, { name, file, share: (found.get(key)?.share ?? 0) + share });
  }
  return [...found.values()];
}

const BELOW = new Set([NATIVE, GENERATED, NODE]);

/** For whom a node works: the nearest caller that is above Node. Nobody calls the program itself. */
function clients(nodes: readonly ProfileNode[]): (node: ProfileNode) => string {
  const callers = new Map(
    nodes.flatMap((caller) => (caller.children ?? []).map((child) => [child, caller] as const)),
  );
  return ({ id }) => {
    for (let caller = callers.get(id); caller !== undefined; caller = callers.get(caller.id)) {
      const part = partOf(caller.callFrame);
      if (!BELOW.has(part)) return `for ${part}`;
    }
    return '';
  };
}

const dearestFirst = <T extends Part>(parts: readonly T[]): T[] =>
  parts.toSorted((one, other) => other.share - one.share);

function withOther(parts: readonly Part[]): Part[] {
  const shown = parts.filter(({ share }) => share >= LEAST_SHARE);
  const share = sum(parts.filter((part) => part.share < LEAST_SHARE).map((part) => part.share));
  return [...dearestFirst(shown), ...(share > 0 ? [{ name: OTHER, share }] : [])];
}

/** What a frame belongs to: a package, a room of the product, Node itself or what is below it. */
export function partOf(frame: Frame): string {
  const { functionName, url } = frame;
  if (functionName === '(garbage collector)') return COLLECTOR;
  if (url === '') return isGenerated(frame) ? GENERATED : NATIVE;
  if (url.startsWith('node:')) return NODE;
  return packageOf(url) ?? roomOf(url) ?? ELSEWHERE;
}

/** Functions made of text, such as compiled schemas, have a script but no file. */
const isGenerated = ({ url, scriptId }: Frame): boolean => url === '' && scriptId !== '0';

const packageOf = (url: string): string | undefined =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];

/** Folders of services are rooms of their own: they have many, and packages one purpose. */
function roomOf(url: string): string | undefined {
  const [, kind, name, room] = /\/(services|packages)\/([^/]+)\/dist\/(?:([^/]+)\/)?/.exec(url) ?? [];
  return kind === 'services' && room !== undefined ? `${name}/${room}` : name;
}

function fileOf(frame: Frame): string {
  const { url, lineNumber } = frame;
  if (url === '') return isGenerated(frame) ? GENERATED : '';
  const path =
    /(?:.*\/node_modules\/|.*\/(?=(?:services|packages)\/[^/]+\/dist\/))(.+)/.exec(url)?.[1] ?? url;
  return `${path}:${Math.max(lineNumber, 0) + 1}`;
}
