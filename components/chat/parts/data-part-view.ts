import type { Part } from '../../../lib/protocol/a2a/core/model';
import { type Ap2Object, detectAp2Object } from '../../../lib/protocol/ap2/detect-ap2-object';
import { isObject, type JsonValue, nonEmptyString } from '../../../lib/protocol/json';
import { type AgentChoicesView, readAgentChoices } from './read-agent-choices';
import { type ChartView, readChart } from './read-chart';
import { readTable, type TableView } from './read-table';

/** The view of a data part. An AP2 object is parsed by its card, which is loaded on demand. */
export type DataPartView =
  | { kind: Ap2Object['kind']; value: JsonValue }
  | { kind: 'table'; table: TableView }
  | { kind: 'chart'; chart: ChartView }
  | { kind: 'agent-choices'; choices: AgentChoicesView }
  | { kind: 'json'; value: JsonValue }
  /** Not displayed: AP2 risk data, stored as evidence. */
  | { kind: 'hidden' };

/** The first view whose data is valid; else the data as JSON. */
export function toDataPartView({ data, metadata }: Part & { kind: 'data' }): DataPartView {
  const hint = nonEmptyString(metadata?.['parley.view']) ?? (isObject(data) ? nonEmptyString(data.kind) : undefined);
  const table = hint === 'table' ? readTable(data) : null;
  if (table) return { kind: 'table', table };
  const chart = hint === 'chart' ? readChart(data) : null;
  if (chart) return { kind: 'chart', chart };
  const choices = hint === 'agent-choices' ? readAgentChoices(data) : null;
  if (choices) return { kind: 'agent-choices', choices };
  const found = detectAp2Object(data);
  if (found) return found;
  const terms = metadata?.['x402.payment.required'];
  if (terms !== undefined) return { kind: 'x402', value: terms };
  if (isObject(data) && Object.keys(data).join() === 'risk_data') return { kind: 'hidden' };
  return { kind: 'json', value: data };
}
