import type { Part } from '../../lib/protocol/a2a/core/model';
import { type Ap2Object, detectAp2Object } from '../../lib/protocol/ap2/detect-ap2-object';
import { isObject, type JsonValue, nonEmptyString } from '../../lib/protocol/json';
import { safeHref } from './parts/markdown/safe-href';
import { type ChartView, readChart } from './parts/read-chart';
import { essenceOf, type FileView, readFile } from './parts/read-file';
import { readTable, type TableView } from './parts/read-table';

/** Target of a link: https only. */
export interface ExternalAddress {
  href: string;
  host: string;
}

/** How a part is shown. An AP2 object is parsed by its card, which is loaded on demand. */
export type PartView =
  | { kind: 'markdown'; text: string }
  | { kind: 'plain'; text: string; mediaType: string; name: string | null }
  | { kind: 'file'; file: FileView }
  /** `link` is null for a URL that must not be opened. */
  | { kind: 'link-file'; name: string | null; mediaType: string | null; uri: string; link: ExternalAddress | null }
  | { kind: Ap2Object['kind']; value: JsonValue }
  | { kind: 'table'; table: TableView }
  | { kind: 'chart'; chart: ChartView }
  | { kind: 'json'; value: JsonValue }
  /** Not displayed: AP2 risk data, stored as evidence. */
  | { kind: 'hidden' };

const markdownTypes: ReadonlySet<string> = new Set(['text/markdown', 'text/x-markdown']);

/** Text is Markdown unless declared otherwise. Nothing is fetched or decoded here. */
export function toPartView(part: Part): PartView {
  if (part.kind === 'text') return toTextView(part);
  if (part.kind === 'bytes') return { kind: 'file', file: readFile({ ...part, pieces: [part.bytes] }) };
  if (part.kind === 'uri') return toLinkView(part);
  return toDataView(part);
}

function toTextView({ text, mediaType, filename }: Part & { kind: 'text' }): PartView {
  if (!mediaType || markdownTypes.has(essenceOf(mediaType))) return { kind: 'markdown', text };
  return { kind: 'plain', text, mediaType: essenceOf(mediaType), name: filename ?? null };
}

function toLinkView({ uri, filename, mediaType }: Part & { kind: 'uri' }): PartView {
  const href = safeHref(uri);
  const link = href?.startsWith('https:') ? { href, host: new URL(href).host } : null;
  return { kind: 'link-file', name: filename ?? null, mediaType: mediaType ? essenceOf(mediaType) : null, uri, link };
}

function toDataView({ data, metadata }: Part & { kind: 'data' }): PartView {
  const hint = nonEmptyString(metadata?.['parley.view']) ?? (isObject(data) ? nonEmptyString(data.kind) : undefined);
  const table = hint === 'table' ? readTable(data) : null;
  if (table) return { kind: 'table', table };
  const chart = hint === 'chart' ? readChart(data) : null;
  if (chart) return { kind: 'chart', chart };
  const found = detectAp2Object(data);
  if (found) return found;
  const terms = metadata?.['x402.payment.required'];
  if (terms !== undefined) return { kind: 'x402', value: terms };
  if (isObject(data) && Object.keys(data).join() === 'risk_data') return { kind: 'hidden' };
  return { kind: 'json', value: data };
}
