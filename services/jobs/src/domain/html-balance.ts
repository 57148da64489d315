/** Follows the tags of an html description in their order. Every name is an allowed one. */
export interface Balance {
  readonly onStartTag: (name: string) => void;
  readonly onEndTag: (name: string) => void;
  /** The first end tag that closes nothing, or element that is left open; undefined if there is none. */
  readonly fault: () => string | undefined;
}

/** Elements that a browser closes together with the one around them (HTML standard, "in body" insertion mode). */
const BLOCKS: ReadonlySet<string> = new Set(['div', 'ul', 'ol', 'li', 'p']);
const MAY_STAY_OPEN: ReadonlySet<string> = new Set(['p', 'li']);

/**
 * Detects a description that can change the page around it: a surplus `</div>` ends an element of the page, an open
 * `<b>` continues after the description. Counts tags, because a tree takes quadratic time for deeply nested ones.
 * Formatting elements may overlap, as browsers allow.
 */
export function trackBalance(): Balance {
  /** The open blocks, innermost last. A `p` is always the innermost one: a block inside would have closed it. */
  const blocks: string[] = [];
  const open = new Map<string, number>();
  let fault: string | undefined;

  const count = (name: string, by: number) => open.set(name, (open.get(name) ?? 0) + by);
  const closeInnermost = (): string => {
    const name = blocks.pop() as string;
    count(name, -1);
    return name;
  };
  const leaveOpen = (name: string) => {
    if (!MAY_STAY_OPEN.has(name)) fault ??= `<${name}> is left open`;
  };

  return {
    onStartTag: (name) => {
      if (name === 'br') return;
      count(name, 1);
      if (!BLOCKS.has(name)) return;
      if (blocks.at(-1) === 'p') closeInnermost();
      if (name === 'li' && blocks.at(-1) === 'li') closeInnermost();
      blocks.push(name);
    },
    onEndTag: (name) => {
      if ((open.get(name) ?? 0) === 0) fault ??= `</${name}> closes nothing`;
      else if (!BLOCKS.has(name)) count(name, -1);
      else for (let closed = closeInnermost(); closed !== name; closed = closeInnermost()) leaveOpen(closed);
    },
    fault: () => {
      for (const [name, times] of open) if (times > 0) leaveOpen(name);
      return fault;
    },
  };
}
