import type { Csv } from './csv';
import { formatNumber } from './numbers';
import type { ColumnProfile, Profile } from './profile';

/** A table as data; the client decides how to display it. */
export interface Table {
  kind: 'table';
  columns: { key: string; label: string; type: 'text' | 'number' }[];
  rows: Record<string, string | number | null>[];
}

const MAX_DESCRIBED = 20;
const MAX_NAME_LENGTH = 60;
const separatorNames: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/** Returns one row per column of the CSV. */
export function summaryTable(profile: Profile): Table {
  return {
    kind: 'table',
    columns: [
      { key: 'column', label: 'Column', type: 'text' },
      { key: 'type', label: 'Type', type: 'text' },
      ...['count', 'missing', 'distinct', 'mean', 'median', 'min', 'max'].map((key) => ({
        key,
        label: `${key[0]?.toUpperCase()}${key.slice(1)}`,
        type: 'number' as const,
      })),
    ],
    rows: profile.columns.map(({ name, type, count, missing, distinct, numbers }) => ({
      column: name,
      type,
      count,
      missing,
      distinct,
      mean: numbers && round(numbers.mean),
      median: numbers && round(numbers.median),
      min: numbers?.min ?? null,
      max: numbers?.max ?? null,
    })),
  };
}

/** Summarizes the file: rows, columns, gaps, problems. */
export function describeOverview(name: string, csv: Csv, profile: Profile): string {
  const cells = profile.rows * profile.columns.length;
  const gaps = profile.columns.reduce((sum, { missing }) => sum + missing, 0);
  const header = csv.hasHeader ? 'with a header' : 'without a header, so the columns are numbered';
  const separated = csv.columns.length > 1 ? `, separated by ${separatorNames[csv.separator]}` : '';
  const facts = [
    `**${plural(profile.rows, 'row')} and ${plural(profile.columns.length, 'column')}**${separated}, ${header}.`,
    gaps === 0
      ? 'No cells are empty.'
      : `${plural(gaps, 'cell')} of ${formatNumber(cells)} (${percent(gaps / cells)}) ${gaps === 1 ? 'is' : 'are'} empty.`,
    ...csv.problems,
  ];
  return `## Profile of ${code(name)}\n\n${facts.join(' ')}\n\n`;
}

/** Describes every column in one line. */
export function describeColumns({ columns }: Profile): string {
  const lines = columns.slice(0, MAX_DESCRIBED).map((column) => `- ${code(column.name)}: ${describeColumn(column)}`);
  const more = columns.length - MAX_DESCRIBED;
  if (more > 0) lines.push(`- and ${plural(more, 'more column')}; the table lists them all.`);
  return `### Columns\n\n${lines.join('\n')}\n\n`;
}

function describeColumn(column: ColumnProfile): string {
  const { type, count, missing, unreadable, distinct, numbers, range } = column;
  if (type === 'empty') return 'empty throughout.';
  const gaps = missing > 0 ? `, ${formatNumber(missing)} missing` : '';
  const misread = unreadable > 0 ? ` (${formatNumber(unreadable)} of them not a ${type})` : '';
  const held = `${plural(count, `${type} value`)}${gaps}${misread}`;
  if (numbers) {
    const { mean, median, min, max } = numbers;
    return `${held}. Mean ${formatNumber(mean)}, median ${formatNumber(median)}, from ${formatNumber(min)} to ${formatNumber(max)}.`;
  }
  if (range) return `${held}, from ${range.from} to ${range.to}.`;
  return distinct === count
    ? `${held}, all different.`
    : `${held}, ${formatNumber(distinct)} different. ${mostFrequent(column)}`;
}

function mostFrequent({ top }: ColumnProfile): string {
  const values = top.slice(0, 3).map(({ value, count }) => `${code(value)} (${formatNumber(count)})`);
  return `Most often ${values.join(', ')}.`;
}

/** Lists observations that someone familiar with the data should check. */
export function describeFindings(profile: Profile): string {
  const { related, columns, duplicateRows } = profile;
  const findings: string[] = [];
  if (related) findings.push(describeRelation(related));
  for (const { name, numbers } of columns) {
    if (!numbers || numbers.outliers.count === 0) continue;
    const { count, low, high, examples } = numbers.outliers;
    const fences = `${formatNumber(low)} to ${formatNumber(high)}`;
    findings.push(
      `${code(name)} has ${plural(count, 'outlier')} outside ${fences}: ${examples.map(formatNumber).join(', ')}.`,
    );
  }
  const gappy = [...columns].sort((a, b) => b.missing - a.missing)[0];
  if (gappy && gappy.missing > 0) {
    findings.push(
      `${code(gappy.name)} has the most gaps: ${formatNumber(gappy.missing)} (${percent(gappy.missing / profile.rows)}).`,
    );
  }
  if (duplicateRows > 0)
    findings.push(
      `${plural(duplicateRows, 'row')} ${duplicateRows === 1 ? 'repeats' : 'repeat'} an earlier one exactly.`,
    );
  if (findings.length === 0) findings.push('Nothing stands out: no gaps, no outliers, no repeated rows.');
  return `### What stands out\n\n${findings.map((finding) => `- ${finding}`).join('\n')}\n`;
}

function describeRelation({ a, b, r, pairs }: NonNullable<Profile['related']>): string {
  const strength = Math.abs(r) >= 0.7 ? 'strongly' : Math.abs(r) >= 0.4 ? 'moderately' : 'only weakly';
  const direction = r < 0 ? 'in opposite directions' : 'together';
  return `${code(a)} and ${code(b)} are the most closely related columns; they move ${strength} ${direction} (r = ${r.toFixed(2)}, ${plural(pairs, 'row')}).`;
}

/** Returns the downloadable report: the commentary and the table. */
export function writeReport(commentary: string, table: Table): string {
  const cell = (value: string | number | null | undefined): string =>
    typeof value === 'string'
      ? code(value).replace(/\|/g, '\\|')
      : value === null || value === undefined
        ? ''
        : String(value);
  const lines = [
    table.columns.map(({ label }) => label),
    table.columns.map(({ type }) => (type === 'number' ? '--:' : '---')),
    ...table.rows.map((row) => table.columns.map(({ key }) => cell(row[key]))),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  return `${commentary}\n### All columns\n\n${lines.join('\n')}\n`;
}

/** Formats text from the file as Markdown code, so that it is never interpreted. */
function code(text: string): string {
  const line = text.replace(/[`\s\p{Cc}]+/gu, ' ').trim();
  const short = line.length > MAX_NAME_LENGTH ? `${line.slice(0, MAX_NAME_LENGTH - 1)}…` : line;
  return `\`${short || ' '}\``;
}

function plural(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function percent(share: number): string {
  return `${formatNumber(share * 100)} %`;
}

function round(value: number): number {
  return Number(value.toPrecision(8));
}
