import { isObject, type JsonValue, nonEmptyString } from '../../../lib/protocol/json';

export interface ChartSeries {
  /** Null where the agent gave none. */
  name: string | null;
  /** One value per label; null where there is none. */
  values: (number | null)[];
}

export interface ChartView {
  type: 'bar' | 'line';
  title: string | null;
  xLabel: string | null;
  labels: string[];
  series: ChartSeries[];
}

/** A series with a name to show. */
export interface NamedSeries extends ChartSeries {
  name: string;
}

/** A chart whose series all have names to show. */
export interface NamedChart extends ChartView {
  series: NamedSeries[];
}

const MOST_LABELS = 500;
const MOST_SERIES = 6;
/** Beyond it the arithmetic of a scale ends. */
const LARGEST = 1e100;

/**
 * A chart in the form that Parley's agents publish: `{kind: 'chart', type: 'bar' | 'line', title?, x: {label?, values},
 * series: [{name?, values}]}`. Null for anything else, and for more than can be drawn.
 */
export function readChart(data: JsonValue): ChartView | null {
  if (!isObject(data) || (data.type !== 'bar' && data.type !== 'line')) return null;
  const { x, series } = data;
  if (!isObject(x) || !Array.isArray(x.values) || !Array.isArray(series)) return null;
  const labels = x.values.map((value) => (typeof value === 'string' ? value : String(value)));
  if (labels.length === 0 || labels.length > MOST_LABELS || series.length === 0 || series.length > MOST_SERIES)
    return null;
  const read = series.map((item) => readSeries(item, labels.length));
  const drawn = read.filter((item) => item !== null);
  if (drawn.length < read.length) return null;
  return {
    type: data.type,
    title: nonEmptyString(data.title) ?? null,
    xLabel: nonEmptyString(x.label) ?? null,
    labels,
    series: drawn,
  };
}

function readSeries(item: JsonValue, length: number): ChartSeries | null {
  if (!isObject(item) || !Array.isArray(item.values) || item.values.length > length) return null;
  const given = item.values;
  if (given.some((value) => typeof value === 'number' && !(Math.abs(value) <= LARGEST))) return null;
  const values = Array.from({ length }, (_, at) => {
    const value = given[at];
    return typeof value === 'number' ? value : null;
  });
  return { name: nonEmptyString(item.name) ?? null, values };
}
