/** What is counted apart: GET and HEAD are reads, every other method is a write. */
export type Kind = 'reads' | 'writes';

export const kindOf = (method: string): Kind => (method === 'GET' || method === 'HEAD' ? 'reads' : 'writes');

/**
 * How far beyond the quota requests still go through where several gateways take part: 5 %, at least one. What
 * they tell each other is a moment old, and a client that obeys the headers of one must not be refused by another.
 */
const slackOf = (quota: number): number => Math.max(1, Math.floor(quota / 20));

/** Whether one more request goes through. A gateway alone lets exactly the quota through. */
export function hasRoom(quota: number, own: number, others: number): boolean {
  const limit = others > 0 ? quota + slackOf(quota) : quota;
  return own + others < limit;
}

/** What the client is told that it has left. */
export const remaining = (quota: number, own: number, others: number): number =>
  Math.max(0, quota - own - others);

/** How many requests that the others do not know of are too many to wait for the next turn: a part of the slack. */
export const urgentShare = (quota: number): number => Math.max(1, Math.floor(slackOf(quota) / 4));
