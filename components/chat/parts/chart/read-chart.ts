import { isObject, type JsonValue, nonEmptyString } from '../../../../lib/protocol/json';

export interface ChartSeries {
  /** Null if the agent gave none. */
  name: string | null;
  /** One value per label; null if missing. */
  values: (number | null)[];
}

export interface ChartView {
  type: 'bar' | 'line';
  title: string | null;
  xLabel: string | null;
  labels: string[];
  series: ChartSeries[];
}

/** A series with a display name. */
export interface NamedSeries extends ChartSeries {
  name: string;
}

/** A chart with a display name for each series. */
export interface NamedChart extends ChartView {
  series: NamedSeries[];
}

const MAX_LABELS = 500;
const MAX_SERIES = 6;
/** Maximum absolute value. Above it, the arithmetic of a scale overflows. */
const MAX_ABSOLUTE_VALUE = 1e100;

/**
 * Returns a chart in the format of Parley's example agents: `{kind: 'chart', type: 'bar' | 'line', title?, x: {label?,
 * values}, series: [{name?, values}]}`. Null for all other data, and for charts that are too large to draw.
 */
export function readChart(data: JsonValue): ChartView | null {
  if (!isObject(data) || (data.type !== 'bar' && data.type !== 'line')) return null;
  const { x, series } = data;
  if (!isObject(x) || !Array.isArray(x.values) || !Array.isArray(series)) return null;
  const labels = x.values.map((value) => (typeof value === 'string' ? value : String(value)));
  if (labels.length === 0 || labels.length > MAX_LABELS || series.length === 0 || series.length > MAX_SERIES)
    return null;
  const read = series.map((item) => readSeries(item, labels.length));
  const valid = read.filter((item) => item !== null);
  if (valid.length < read.length) return null;
  return {
    type: data.type,
    title: nonEmptyString(data.title) ?? null,
    xLabel: nonEmptyString(x.label) ?? null,
    labels,
    series: valid,
  };
}

function readSeries(item: JsonValue, length: number): ChartSeries | null {
  if (!isObject(item) || !Array.isArray(item.values) || item.values.length > length) return null;
  const given = item.values;
  if (given.some((value) => typeof value === 'number' && !(Math.abs(value) <= MAX_ABSOLUTE_VALUE))) return null;
  const values = Array.from({ length }, (_, index) => {
    const value = given[index];
    return typeof value === 'number' ? value : null;
  });
  return { name: nonEmptyString(item.name) ?? null, values };
}
