import type { AgentRecord } from '../../catalog';
import { composeAnswer } from '../../protocol/a2a/core/compose-answer';
import { type TaskEvent, withoutRefusedMessages } from '../../protocol/a2a/core/events';
import { isTerminal, type Part } from '../../protocol/a2a/core/model';
import { addToTimeline, emptyTimeline, splitTurns } from '../../protocol/a2a/core/task-timeline';
import { detectAp2Object } from '../../protocol/ap2/detect-ap2-object';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../protocol/json';
import type { SharedPiece, SharedThread, SharedTurn } from '../schema-shares';
import { mergeTextParts, redactText, redactValue } from './redact';

/** A task with its events up to the last shared one. */
export interface SharedTask {
  id: string;
  events: TaskEvent[];
}

/** Returns the public view of a conversation: without payments, secrets, personal data or file contents. */
export function toSharedThread(
  title: string,
  { slug, name }: Pick<AgentRecord, 'slug' | 'name'>,
  tasks: SharedTask[],
): SharedThread {
  return { title: redactText(title), agent: { slug, name }, turns: tasks.flatMap(turnsOf) };
}

/** Returns the turns of a task in chat order. All agent output between two user messages is one turn. */
function turnsOf({ id, events }: SharedTask): SharedTurn[] {
  const timeline = emptyTimeline();
  for (const [at, event] of withoutRefusedMessages(events).entries()) addToTimeline(timeline, at + 1, event);
  const ended = isTerminal(timeline.state);
  const newest = new Map(
    timeline.entries.flatMap((entry) => (entry.kind === 'artifact' ? [[entry.artifactId, entry.seq]] : [])),
  );
  return splitTurns(timeline.entries).flatMap(({ userMessage, entries }, at) => {
    const answer = composeAnswer({ entries, artifacts: timeline.artifacts, ended });
    const pieces = answer.flatMap((piece) => {
      if (piece.kind === 'message') return piece.parts.flatMap(toPiece);
      // A replaced artifact appears at the position of its latest version.
      if (newest.get(piece.artifactId) !== piece.seq) return [];
      return mergeTextParts(timeline.artifacts.get(piece.artifactId)?.parts ?? []).flatMap(toPiece);
    });
    const turns: SharedTurn[] = [
      {
        key: `${id} ${at} user`,
        taskId: id,
        role: 'user',
        pieces: withoutRepeats((userMessage?.parts ?? []).flatMap(toPiece)),
      },
      { key: `${id} ${at} agent`, taskId: id, role: 'agent', pieces: withoutRepeats(pieces) },
    ];
    return turns.filter((turn) => turn.pieces.length > 0);
  });
}

/** Removes repeated placeholders. A receipt is sent in two forms, both of which are withheld. */
function withoutRepeats(pieces: SharedPiece[]): SharedPiece[] {
  return pieces.filter((piece, at) => {
    const before = pieces[at - 1];
    return piece.kind !== 'withheld' || before?.kind !== 'withheld' || before.what !== piece.what;
  });
}

function toPiece(part: Part): SharedPiece[] {
  if (part.kind === 'text') {
    if (part.metadata?.['parley.outcome'] === 'declined') return [{ kind: 'withheld', what: 'declined' }];
    if (part.text.trim() === '') return [];
    const { mediaType } = part;
    return [{ kind: 'part', part: { kind: 'text', text: redactText(part.text), ...(mediaType && { mediaType }) } }];
  }
  if (part.kind === 'bytes' || part.kind === 'uri') {
    return [{ kind: 'file', name: redactText(part.filename ?? 'file'), mediaType: part.mediaType ?? '' }];
  }
  const { data, metadata } = part;
  if (detectAp2Object(data) || metadata?.['x402.payment.required'] !== undefined)
    return [{ kind: 'withheld', what: 'payment' }];
  const view = metadata?.['parley.view'] ?? (isObject(data) ? data.kind : undefined);
  if (view !== 'table' && view !== 'chart') return [{ kind: 'withheld', what: 'data' }];
  const rendered = pickRenderedData(view, data);
  if (rendered === null) return [{ kind: 'withheld', what: 'data' }];
  return [{ kind: 'part', part: { kind: 'data', data: redactValue(rendered), metadata: { 'parley.view': view } } }];
}

/** Returns only the rendered members of a table or chart; null for other data. */
export function pickRenderedData(view: 'table' | 'chart', data: JsonValue): JsonValue | null {
  if (!isObject(data)) return null;
  return view === 'table' ? tableOf(data) : chartOf(data);
}

function tableOf({ title, columns, rows }: JsonObject): JsonValue | null {
  if (!Array.isArray(columns) || !Array.isArray(rows)) return null;
  const keys = columns.map(keyOf);
  const renderedRows = rows.map((row) => {
    if (Array.isArray(row)) return row.slice(0, columns.length);
    return isObject(row) ? pick(row, keys) : null;
  });
  const heads = columns.map((column) => (isObject(column) ? pick(column, ['key', 'name', 'label', 'type']) : column));
  return { kind: 'table', ...pick({ title }, ['title']), columns: heads, rows: renderedRows };
}

function keyOf(column: JsonValue): string {
  if (!isObject(column)) return nonEmptyString(column) ?? '';
  return nonEmptyString(column.key) ?? nonEmptyString(column.name) ?? nonEmptyString(column.label) ?? '';
}

function chartOf({ type, title, x, series }: JsonObject): JsonValue | null {
  if (!isObject(x) || !Array.isArray(series)) return null;
  const renderedSeries = series.map((item) => (isObject(item) ? pick(item, ['name', 'values']) : null));
  return {
    kind: 'chart',
    ...pick({ type, title }, ['type', 'title']),
    x: pick(x, ['label', 'values']),
    series: renderedSeries,
  };
}

function pick(value: JsonObject, names: string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])));
}
