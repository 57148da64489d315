import type { UsageTold } from '@joblisting/contracts';
import { dropFirst } from './drop-first.ts';
import type { Kind } from './quota.ts';

export type Counts = Record<Kind, number>;
export type Told = UsageTold['counts'];

/** What one consumer has used in one window. */
export interface Usage {
  readonly consumerId: number;
  readonly own: Counts;
  /** What the other gateways know of `own`. */
  readonly told: Counts;
  /** The sum of what the others have told. */
  readonly others: Counts;
  readonly byGateway: Map<string, Counts>;
  /** Whether it is among those to be told. */
  waiting: boolean;
}

/** What all consumers have used in one window. */
export interface Frame {
  readonly window: number;
  readonly usages: Map<number, Usage>;
  /** Those whose own counts have changed since they were told. */
  waiting: Usage[];
}

/** The most gateways that one consumer's usage is heard from in one window: each restart makes another one. */
const GATEWAYS = 64;
/** No count: whatever it is now, it is to be told. */
const UNTOLD = -1;

export const newFrame = (window: number): Frame => ({ window, usages: new Map(), waiting: [] });

/** The consumer's usage. Of more than `consumers`, the one that came first goes. */
export function usageIn({ usages }: Frame, consumerId: number, consumers: number): Usage {
  const known = usages.get(consumerId);
  if (known) return known;
  if (usages.size >= consumers) dropFirst(usages);
  const usage: Usage = {
    consumerId,
    own: { reads: 0, writes: 0 },
    told: { reads: 0, writes: 0 },
    others: { reads: 0, writes: 0 },
    byGateway: new Map(),
    waiting: false,
  };
  usages.set(consumerId, usage);
  return usage;
}

/** Puts a gateway's totals in the place of those that it told before. */
export function hear({ byGateway, others }: Usage, gateway: string, now: Counts): void {
  const before = byGateway.get(gateway);
  if (!before && byGateway.size >= GATEWAYS) return;
  others.reads += now.reads - (before?.reads ?? 0);
  others.writes += now.writes - (before?.writes ?? 0);
  byGateway.set(gateway, now);
}

export function wait(frame: Frame, usage: Usage): void {
  if (usage.waiting) return;
  usage.waiting = true;
  frame.waiting.push(usage);
}

/** All that this gateway has counted or told is to be told again. */
export function waitAll(frame: Frame): void {
  for (const usage of frame.usages.values()) {
    const { own, told } = usage;
    if (own.reads + own.writes + told.reads + told.writes === 0) continue;
    told.reads = UNTOLD;
    wait(frame, usage);
  }
}

/** Takes the totals that wait to be told. Those that are again what they were when last told stay untold. */
export function takeWaiting(frame: Frame): Told {
  const changes: Told = [];
  for (const usage of frame.waiting) {
    const { consumerId, own, told } = usage;
    usage.waiting = false;
    if (own.reads === told.reads && own.writes === told.writes) continue;
    told.reads = own.reads;
    told.writes = own.writes;
    changes.push([consumerId, own.reads, own.writes]);
  }
  frame.waiting = [];
  return changes;
}
