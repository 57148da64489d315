/** The names in a PromQL expression or an answer of `/metrics`. */
interface MetricNames {
  readonly metrics: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
}

const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan', 'start', 'end']);
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^()]*)\)/gi;
const NAME = /[A-Za-z_:][\w:]*/g;

/** Finds the names in an expression. It does not check the syntax. */
export function namesIn(expression: string): MetricNames {
  const labels = new Set<string>();
  const addLabels = (text: string) => {
    for (const [label] of text.matchAll(NAME)) labels.add(label);
    return ' ';
  };
  const rest = expression
    .replaceAll(/^\s*#.*$/gm, '')
    .replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(GROUPING, (_all, list: string) => addLabels(list))
    .replaceAll(/\{([^}]*)\}/g, (_all, matchers: string) => addLabels(matchers))
    .replaceAll(/\b\d[\w.]*/g, ' ');
  const metrics = new Set<string>();
  for (const { 0: name, index } of rest.matchAll(NAME)) {
    const isFunction = /^\s*\(/.test(rest.slice(index + name.length));
    if (!isFunction && !WORDS.has(name.toLowerCase())) metrics.add(name);
  }
  return { metrics, labels };
}

/** Replaces Grafana's variables with values. */
export const withoutVariables = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '5m').replaceAll('$service', '.*');

/** Finds the names in an answer of `/metrics`, including the three series of a histogram. */
export function namesExported(text: string): MetricNames {
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
