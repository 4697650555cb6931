import type { Findings } from './findings';
import { type Dataset, type Measure, nameOfRow } from './library';

const MAX_MEASURES = 3;
const MAX_REMARKS = 3;

/** Composes the answer in Markdown: the findings about the figures, notable facts, and the sources of both. */
export function composeAnswer(question: string, { dataset, findings, by }: Sources): string {
  const measures = chooseMeasures(question, dataset, findings);
  const lines = measures.flatMap((measure) => describeMeasure(measure, dataset, findings));
  const { remarks, text } = findings;
  const sections = [
    lines.length > 0 ? lines.join('\n') : `This is what ${by} says:\n\n${quote(text)}`,
    lines.length > 0 && remarks.length > 0
      ? `What stands out, according to ${by}:\n\n${remarks
          .slice(0, MAX_REMARKS)
          .map((remark) => `- ${remark}`)
          .join('\n')}`
      : '',
    `Figures: ${dataset.source}. Analysis: ${by}.`,
  ];
  return sections.filter(Boolean).join('\n\n');
}

export interface Sources {
  dataset: Dataset;
  findings: Findings;
  /** The name of the agent that made the analysis. */
  by: string;
}

/**
 * Selects the measures that the question mentions, or otherwise the first ones. For an unknown table, they come from
 * the analysis.
 */
function chooseMeasures(question: string, { measures }: Dataset, { columns }: Findings): Measure[] {
  if (measures.length === 0) {
    const numeric = columns.filter(({ mean }) => mean !== null).slice(0, MAX_MEASURES);
    return numeric.map(({ column }) => ({ column, label: column, unit: '', words: /./ }));
  }
  const asked = measures.filter(({ words }) => words.test(question));
  return (asked.length > 0 ? asked : measures).slice(0, MAX_MEASURES);
}

function describeMeasure({ column, label, unit }: Measure, dataset: Dataset, { columns, groups }: Findings): string[] {
  const summary = columns.find((one) => one.column === column);
  if (!summary || summary.min === null || summary.max === null || summary.mean === null) return [];
  const { min, max, mean } = summary;
  const amount = (value: number): string => `${format(value)}${unit ? ` ${unit}` : ''}`;
  const named = (value: number): string => {
    const name = nameOfRow(dataset, column, value);
    return `${amount(value)}${name ? ` (${name})` : ''}`;
  };
  const line = `- **${label}**: from ${named(min)} to ${named(max)}, on average ${amount(mean)}.`;
  const ranking = [...groups].sort((a, b) => b.value - a.value).map(({ name, value }) => `${name} ${format(value)}`);
  return ranking.length > 1
    ? [line, `- **On average**, highest first: ${ranking.join(', ')}${unit ? ` (${unit})` : ''}.`]
    : [line];
}

function format(value: number): string {
  const maximumFractionDigits = Math.abs(value) >= 100 ? 0 : 1;
  return new Intl.NumberFormat('en-US', { maximumFractionDigits }).format(value);
}

function quote(text: string): string {
  const shown = text.trim().slice(0, 2_000) || '(no text)';
  return shown.replace(/^/gm, '> ');
}
