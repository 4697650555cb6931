import type { AgentRecord } from '../catalog';
import { composeAnswer } from '../protocol/a2a/core/compose-answer';
import { type TaskEvent, withoutRefusedMessages } from '../protocol/a2a/core/events';
import { isTerminal, type Part } from '../protocol/a2a/core/model';
import { addToTimeline, emptyTimeline, splitTurns } from '../protocol/a2a/core/task-timeline';
import { detectAp2Object } from '../protocol/ap2/detect-ap2-object';
import { isObject } from '../protocol/json';
import { pickRenderedData } from './pick-rendered-data';
import { redactText, redactValue } from './redact';
import type { SharedPiece, SharedThread, SharedTurn } from './schema';

/** A task up to the event to which it is shared. */
export interface SharedTask {
  id: string;
  events: TaskEvent[];
}

/** A conversation as strangers see it. */
export function toSharedThread(
  title: string,
  { slug, name }: Pick<AgentRecord, 'slug' | 'name'>,
  tasks: SharedTask[],
): SharedThread {
  return { title: redactText(title), agent: { slug, name }, turns: tasks.flatMap(turnsOf) };
}

/** Turn by turn, in the order of the chat: what an agent said before the person spoke again is one turn. */
function turnsOf({ id, events }: SharedTask): SharedTurn[] {
  const taskHistory = emptyTimeline();
  for (const [at, event] of withoutRefusedMessages(events).entries()) addToTimeline(taskHistory, at + 1, event);
  const ended = isTerminal(taskHistory.state);
  const newest = new Map(
    taskHistory.entries.flatMap((entry) => (entry.kind === 'artifact' ? [[entry.artifactId, entry.seq]] : [])),
  );
  return splitTurns(taskHistory.entries).flatMap(({ userMessage: said, entries }, at) => {
    const answer = composeAnswer({ entries, artifacts: taskHistory.artifacts, ended });
    const pieces = answer.flatMap((piece) => {
      if (piece.kind === 'message') return piece.parts.flatMap(toPiece);
      // An artifact that was made again stands where its newest form came.
      if (newest.get(piece.artifactId) !== piece.seq) return [];
      return mergeTexts(taskHistory.artifacts.get(piece.artifactId)?.parts ?? []).flatMap(toPiece);
    });
    const turns: SharedTurn[] = [
      {
        key: `${id} ${at} user`,
        taskId: id,
        role: 'user',
        pieces: withoutRepeats((said?.parts ?? []).flatMap(toPiece)),
      },
      { key: `${id} ${at} agent`, taskId: id, role: 'agent', pieces: withoutRepeats(pieces) },
    ];
    return turns.filter((turn) => turn.pieces.length > 0);
  });
}

/** A long text comes in chunks; a secret may stand across two. */
function mergeTexts(parts: Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.kind === 'text' && last?.kind === 'text' && part.mediaType === last.mediaType) {
      merged[merged.length - 1] = { ...last, text: last.text + part.text };
    } else merged.push(part);
  }
  return merged;
}

/** A receipt is sent in two forms, and neither is shared: saying so once is enough. */
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
