import type { Part } from '../../../lib/protocol/a2a/core/model';
import { isA2uiPart } from '../../../lib/protocol/a2ui/messages/read-messages';
import { type Ap2Object, detectAp2Object } from '../../../lib/protocol/ap2/detect-ap2-object';
import { type FormSource, findFormSource } from '../../../lib/protocol/forms/form';
import { isObject, type JsonValue, nonEmptyString } from '../../../lib/protocol/json';
import { type McpApp, readApp } from '../../../lib/protocol/mcp-apps/read-app';
import { type ChartView, readChart } from './chart/read-chart';
import { safeHref } from './markdown/safe-href';
import { essenceOf, type FileView, readFile } from './read-file';
import { readTable, type TableView } from './read-table';

/** Target of a link: https only. */
export interface ExternalAddress {
  href: string;
  host: string;
}

/** The view of a part. */
export type PartView =
  | { kind: 'markdown'; text: string }
  | { kind: 'plain'; text: string; mediaType: string; name: string | null }
  | { kind: 'file'; file: FileView }
  /** A page with scripts, which its card starts on request. */
  | { kind: 'mcp-app'; app: McpApp }
  /** `link` is null for a URL that must not be opened. */
  | { kind: 'link-file'; name: string | null; mediaType: string | null; uri: string; link: ExternalAddress | null }
  | DataPartView;

const markdownTypes: ReadonlySet<string> = new Set(['text/markdown', 'text/x-markdown']);

/**
 * Returns the view of a part. Text is Markdown unless declared otherwise. Fetches and decodes nothing. `isMessage`: the
 * part belongs to a message, in which a JSON Schema is a question.
 */
export function toPartView(part: Part, isMessage = false): PartView {
  const app = readApp(part);
  if (app) return { kind: 'mcp-app', app };
  if (part.kind === 'text') return toTextView(part);
  if (part.kind === 'bytes') return { kind: 'file', file: readFile({ ...part, pieces: [part.bytes] }) };
  if (part.kind === 'uri') return toLinkView(part);
  return toDataPartView(part, isMessage);
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

/** The view of a data part. An AP2 object is parsed by its card, which is loaded on demand. */
type DataPartView =
  | { kind: Ap2Object['kind']; value: JsonValue }
  | { kind: 'table'; table: TableView }
  | { kind: 'chart'; chart: ChartView }
  /** A question with typed fields, which its card reads. */
  | { kind: 'form'; source: FormSource; value: JsonValue }
  /** Read by their cards, which are loaded on demand. */
  | { kind: 'agent-choices' | 'steps' | 'a2ui'; value: JsonValue }
  /** What the person did on a surface of the agent. */
  | { kind: 'action'; label: string; value: JsonValue }
  | { kind: 'json'; value: JsonValue }
  /** Not displayed: AP2 risk data, which is stored as evidence. */
  | { kind: 'hidden' };

/** Returns the first view whose data is valid, otherwise the data as JSON. */
function toDataPartView(part: Part & { kind: 'data' }, isMessage: boolean): DataPartView {
  const { data, metadata } = part;
  const hint = nonEmptyString(metadata?.['parley.view']) ?? (isObject(data) ? nonEmptyString(data.kind) : undefined);
  const table = hint === 'table' ? readTable(data) : null;
  if (table) return { kind: 'table', table };
  const chart = hint === 'chart' ? readChart(data) : null;
  if (chart) return { kind: 'chart', chart };
  if (hint === 'agent-choices' || hint === 'steps') return { kind: hint, value: data };
  if (hint === 'action') return { kind: hint, label: nonEmptyString(metadata?.['parley.label']) ?? '', value: data };
  if (isA2uiPart(part)) return { kind: 'a2ui', value: data };
  const found = detectAp2Object(data);
  if (found) return found;
  const source = findFormSource(part, isMessage);
  if (source) return { kind: 'form', source, value: data };
  const terms = metadata?.['x402.payment.required'];
  if (terms !== undefined) return { kind: 'x402', value: terms };
  if (isObject(data) && Object.keys(data).join() === 'risk_data') return { kind: 'hidden' };
  return { kind: 'json', value: data };
}
