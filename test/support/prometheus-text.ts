// Reads the text format of Prometheus as strictly as Prometheus does: https://prometheus.io/docs/instrumenting/exposition_formats/
export type Series = { name: string; labels: Record<string, string>; value: number };

export type PrometheusText = {
  /** The type of each metric, by its name. */
  types: Map<string, string>;
  series: Series[];
  /** The value of the one series with this name and these labels. @throws where there is none, or more than one */
  value(name: string, labels?: Record<string, string>): number;
};

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LINE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (NaN|[+-]?Inf|[+-]?[0-9.]+(?:e[+-]?[0-9]+)?)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];

/** @throws Error for a line that is not allowed, a series that is there twice, or one without a type */
export function parsePrometheusText(text: string): PrometheusText {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  const types = new Map<string, string>();
  const series: Series[] = [];
  const seen = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue;
    if (line.startsWith('#')) {
      const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
      if (!TYPES.includes(type) || types.has(name)) throw new Error(`A wrong line: ${line}`);
      types.set(name, type);
      continue;
    }
    const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? [];
    if (name === '') throw new Error(`A wrong line: ${line}`);
    const family = name.replace(/_(?:bucket|sum|count)$/, '');
    if (!types.has(name) && types.get(family) !== 'histogram' && types.get(family) !== 'summary')
      throw new Error(`${name} has no type.`);
    const one = { name, labels: parseLabels(labels), value: numberOf(value) };
    const key = JSON.stringify([name, Object.entries(one.labels).sort()]);
    if (seen.has(key)) throw new Error(`${key} is there twice.`);
    seen.add(key);
    series.push(one);
  }
  return {
    types,
    series,
    value(name, labels = {}) {
      const found = series.filter(
        (one) =>
          one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
      );
      if (found.length !== 1)
        throw new Error(`${found.length} series are called ${name}${JSON.stringify(labels)}.`);
      return found[0]!.value;
    },
  };
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ''; ) {
    const [whole = '', name = '', value = ''] = LABEL.exec(rest) ?? [];
    if (whole === '' || name in labels) throw new Error(`Wrong labels: ${text}`);
    labels[name] = value;
    rest = rest.slice(whole.length);
  }
  return labels;
}

const numberOf = (text: string): number =>
  text.endsWith('Inf') ? Number(text.replace('Inf', 'Infinity')) : Number(text);
