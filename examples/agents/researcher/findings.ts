import type { AgentReply, Part } from '@parley/agent/serve';

/** Summary of one column by an analysis. */
export interface ColumnSummary {
  column: string;
  mean: number | null;
  min: number | null;
  max: number | null;
}

/** The usable parts of another agent's answer. Each may be empty, because agents answer differently. */
export interface Findings {
  columns: ColumnSummary[];
  /** The remarks under "What stands out". */
  remarks: string[];
  /** A chart to pass on. */
  chart: Part | null;
  /** Average values by group, from the chart. */
  groups: { name: string; value: number }[];
  /** Text of the answer. */
  text: string;
}

type JsonObject = Record<string, unknown>;

/** Reads an analysis: its table of columns, its chart and its remarks. */
export function readFindings({ parts, text }: Pick<AgentReply, 'parts' | 'text'>): Findings {
  const views = parts.filter(({ data }) => isObject(data));
  const table = views.find(({ data }) => kindOf(data) === 'table')?.data as JsonObject | undefined;
  const chart = views.find(({ data }) => kindOf(data) === 'chart') ?? null;
  const section = /###? What stands out\n+([\s\S]*?)(?=\n#|$)/.exec(text)?.[1] ?? '';
  return {
    columns: listOf(table?.rows).flatMap(toSummary),
    remarks: [...section.matchAll(/^- (.+)$/gm)].map(([, remark = '']) => remark),
    chart,
    groups: groupsOf(chart?.data),
    text,
  };
}

function toSummary(row: unknown): ColumnSummary[] {
  if (!isObject(row) || typeof row.column !== 'string') return [];
  const { column, mean, min, max } = row;
  return [{ column, mean: numberOf(mean), min: numberOf(min), max: numberOf(max) }];
}

/** Reads the bars of "Average … by …". */
function groupsOf(chart: unknown): Findings['groups'] {
  if (!isObject(chart) || chart.type !== 'bar' || !String(chart.title).startsWith('Average ')) return [];
  const names = isObject(chart.x) ? listOf(chart.x.values) : [];
  const [series] = listOf(chart.series);
  const values = isObject(series) ? listOf(series.values) : [];
  return names.flatMap((name, at) => {
    const value = numberOf(values[at]);
    return typeof name === 'string' && value !== null ? [{ name, value }] : [];
  });
}

function kindOf(data: unknown): unknown {
  return isObject(data) ? data.kind : undefined;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
