/** What a PromQL expression names. */
export interface Named {
  readonly metrics: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
}

const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan', 'start', 'end']);
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^()]*)\)/gi;
const NAME = /[A-Za-z_:][\w:]*/g;

/** Finds the names; an expression that is not well-formed is for Prometheus' own parser to refuse. */
export function namesIn(expression: string): Named {
  const labels = new Set<string>();
  const noteLabels = (text: string) => {
    for (const [label] of text.matchAll(NAME)) labels.add(label);
    return ' ';
  };
  const left = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(GROUPING, (_all, list: string) => noteLabels(list))
    .replaceAll(/\{([^}]*)\}/g, (_all, matchers: string) => noteLabels(matchers))
    .replaceAll(/\b\d[\w.]*/g, ' ');
  const metrics = new Set<string>();
  for (const { 0: name, index } of left.matchAll(NAME)) {
    const isFunction = /^\s*\(/.test(left.slice(index + name.length));
    if (!isFunction && !WORDS.has(name.toLowerCase())) metrics.add(name);
  }
  return { metrics, labels };
}

/** As Grafana sends it: with a range for its own, and every service. */
export const withoutVariables = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '5m').replaceAll('$service', '.*');

/** Names and labels in an answer of `/metrics`; a histogram stands for its three series. */
export function namesShown(text: string): Named {
  const metrics = new Set<string>();
  const labels = new Set<string>();
  for (const line of text.split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (name) {
      metrics.add(name);
      if (type === 'histogram' || type === 'summary') {
        for (const suffix of ['_bucket', '_sum', '_count']) metrics.add(name + suffix);
      }
    }
    for (const [, label = ''] of line.matchAll(/[{,]([a-z_]+)="/g)) labels.add(label);
  }
  return { metrics, labels };
}
