import type { AgentRecord } from '../catalog';
import { foldTask, type TaskEvent } from '../protocol/a2a/core/events';
import type { Part } from '../protocol/a2a/core/model';
import { findAp2Object } from '../protocol/ap2/find-object';
import { isObject } from '../protocol/json';
import { drawnOf } from './drawn-data';
import { redactText, redactValue } from './redact';
import type { SharedPiece, SharedThread, SharedTurn } from './schema';

/** A task up to the event to which it is shared. */
export interface SharedStory {
  id: string;
  events: TaskEvent[];
}

/** A conversation as strangers see it. */
export function toSharedThread(
  title: string,
  { slug, name }: Pick<AgentRecord, 'slug' | 'name'>,
  stories: SharedStory[],
): SharedThread {
  return { title: redactText(title), agent: { slug, name }, turns: stories.flatMap(turnsOf) };
}

/** Turn by turn: what an agent said before the person spoke again is one turn, with what it made by then. */
function turnsOf({ id, events }: SharedStory): SharedTurn[] {
  const turns: TaskEvent[][] = [];
  for (const event of events) {
    if (event.type === 'message' || turns.length === 0) turns.push([event]);
    else turns.at(-1)?.push(event);
  }
  return turns.flatMap((turn, at) => {
    const { history, artifacts } = foldTask({ id, contextId: '', createdAt: '' }, turn.filter(isSaid));
    const piecesOf = (parts: Part[]): SharedPiece[] => parts.flatMap(toPiece);
    const own = history.filter(({ role }) => role === 'user').flatMap(({ parts }) => piecesOf(parts));
    const answered = [
      ...history.filter(({ role }) => role === 'agent').flatMap(({ parts }) => piecesOf(parts)),
      ...artifacts.flatMap(({ parts }) => piecesOf(joinTexts(parts))),
    ];
    const both: SharedTurn[] = [
      { key: `${id} ${at} user`, taskId: id, role: 'user', pieces: own },
      { key: `${id} ${at} agent`, taskId: id, role: 'agent', pieces: answered },
    ];
    return both.filter(({ pieces }) => pieces.length > 0);
  });
}

/** Parley's own word on how a task ended, and what an agent remarks on its way, are not the conversation. */
function isSaid(event: TaskEvent): boolean {
  if (event.type !== 'status') return true;
  const { state } = event.status;
  return event.metadata?.['parley.error'] === undefined && state !== 'working' && state !== 'submitted';
}

/** A long text comes in chunks; a secret may stand across two. */
function joinTexts(parts: Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'text' && last?.kind === 'text' && part.mediaType === last.mediaType) {
      joined[joined.length - 1] = { ...last, text: last.text + part.text };
    } else joined.push(part);
  }
  return joined;
}

function toPiece(part: Part): SharedPiece[] {
  if (part.kind === 'text') {
    if (part.text.trim() === '') return [];
    const { mediaType } = part;
    return [{ kind: 'part', part: { kind: 'text', text: redactText(part.text), ...(mediaType && { mediaType }) } }];
  }
  if (part.kind === 'bytes' || part.kind === 'uri') {
    return [{ kind: 'file', name: redactText(part.filename ?? 'file'), mediaType: part.mediaType ?? '' }];
  }
  const { data, metadata } = part;
  if (findAp2Object(data) || metadata?.['x402.payment.required'] !== undefined)
    return [{ kind: 'withheld', what: 'payment' }];
  const view = metadata?.['parley.view'] ?? (isObject(data) ? data.kind : undefined);
  if (view !== 'table' && view !== 'chart') return [{ kind: 'withheld', what: 'data' }];
  const drawn = drawnOf(view, data);
  if (drawn === null) return [{ kind: 'withheld', what: 'data' }];
  return [{ kind: 'part', part: { kind: 'data', data: redactValue(drawn), metadata: { 'parley.view': view } } }];
}
