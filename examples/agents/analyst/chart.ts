import type { Profile, ReadColumn } from './profile';
import { addUp, quantile } from './statistics';

/** A chart as data; the client draws it. */
export interface Chart {
  kind: 'chart';
  type: 'bar' | 'line';
  title: string;
  x: { label: string; values: string[] };
  series: { name: string; values: number[] }[];
}

const MAX_PERIODS = 60;
const MAX_BARS = 12;
const MAX_CATEGORIES = 50;

/**
 * Returns the most informative chart of the table, in this order: a number over time, a number by category, the
 * distribution of a number, the frequency of values. Null if no value repeats and there are no numbers.
 */
export function chooseChart(profile: Profile, columns: ReadColumn[]): Chart | null {
  const measure = columns.find((column) => column.numbers !== null && !isIdentifier(column, profile.rows));
  const time = columns.find(({ profile: { type, distinct } }) => type === 'date' && distinct > 1);
  const category = columns
    .filter(
      ({ profile: { type, distinct, count } }) =>
        type === 'text' && distinct > 1 && distinct <= MAX_CATEGORIES && distinct < count,
    )
    .sort((a, b) => a.profile.distinct - b.profile.distinct)[0];
  if (measure && time) return overTime(measure, time);
  if (measure && category) return byCategory(measure, category);
  if (measure) return distribution(measure);
  return category ? frequencies(category) : null;
}

/** Detects a column of whole numbers, mostly distinct, that only identifies its rows. */
function isIdentifier({ profile, numbers }: ReadColumn, rows: number): boolean {
  const named = /(?:^|[\s_-])(?:id|no|nr|index|key|code|zip)$/i.test(profile.name);
  const whole = (numbers ?? []).every((value) => value === null || Number.isInteger(value));
  return named && whole && profile.distinct > rows / 2;
}

function overTime(measure: ReadColumn, time: ReadColumn): Chart {
  const length =
    [10, 7, 4].find((digits) => new Set(time.texts.map((text) => text?.slice(0, digits))).size <= MAX_PERIODS) ?? 4;
  const groups = meansBy(
    measure,
    time.texts.map((text) => text?.slice(0, length) ?? null),
  ).sort((a, b) => (a.label < b.label ? -1 : 1));
  const period = { 10: 'day', 7: 'month', 4: 'year' }[length];
  const shown = groups.slice(-MAX_PERIODS);
  return chart('line', `Average ${measure.profile.name} by ${period}`, {
    label: time.profile.name,
    measure,
    groups: shown,
  });
}

function byCategory(measure: ReadColumn, category: ReadColumn): Chart {
  const groups = meansBy(measure, category.texts)
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_BARS);
  const { name } = category.profile;
  return chart('bar', `Average ${measure.profile.name} by ${name}`, { label: name, measure, groups });
}

interface Group {
  label: string;
  value: number;
}

function meansBy(measure: ReadColumn, labels: (string | null)[]): Group[] {
  const groups = new Map<string, number[]>();
  labels.forEach((label, row) => {
    const value = measure.numbers?.[row] ?? null;
    if (label === null || value === null) return;
    const values = groups.get(label) ?? [];
    values.push(value);
    groups.set(label, values);
  });
  return [...groups].map(([label, values]) => ({ label, value: addUp(values) / values.length }));
}

function distribution(measure: ReadColumn): Chart {
  const values = Float64Array.from((measure.numbers ?? []).filter((value) => value !== null)).sort();
  const [low, high] = [quantile(values, 0), quantile(values, 1)];
  const bins = low === high ? 1 : Math.min(MAX_BARS, Math.ceil(Math.sqrt(values.length)));
  const width = (high - low) / bins;
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of values) {
    const bin = width === 0 ? 0 : Math.min(bins - 1, Math.floor((value - low) / width));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const groups = counts.map((value, bin) => ({
    label: `${round(low + bin * width)} to ${round(low + (bin + 1) * width)}`,
    value,
  }));
  const { name } = measure.profile;
  return { ...chart('bar', `Distribution of ${name}`, { label: name, measure, groups }), series: countSeries(groups) };
}

function frequencies(category: ReadColumn): Chart {
  const { name, top } = category.profile;
  const groups = top.map(({ value, count }) => ({ label: value, value: count }));
  const title = `Most frequent values of ${name}`;
  return { ...chart('bar', title, { label: name, measure: category, groups }), series: countSeries(groups) };
}

function countSeries(groups: Group[]): Chart['series'] {
  return [{ name: 'Rows', values: groups.map(({ value }) => value) }];
}

function chart(
  type: Chart['type'],
  title: string,
  { label, measure, groups }: { label: string; measure: ReadColumn; groups: Group[] },
): Chart {
  const values = groups.map(({ value }) => round(value));
  return {
    kind: 'chart',
    type,
    title,
    x: { label, values: groups.map((group) => group.label) },
    series: [{ name: measure.profile.name, values }],
  };
}

/** Six significant digits. */
function round(value: number): number {
  return Number(value.toPrecision(6));
}
