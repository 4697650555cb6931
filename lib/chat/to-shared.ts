import type { AgentRecord } from '../catalog';
import { answerOf } from '../protocol/a2a/core/answer';
import { type TaskEvent, withoutRefused } from '../protocol/a2a/core/events';
import { isTerminal, type Part } from '../protocol/a2a/core/model';
import { addToStory, emptyStory, splitTurns } from '../protocol/a2a/core/story';
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

/** Turn by turn, in the order of the chat: what an agent said before the person spoke again is one turn. */
function turnsOf({ id, events }: SharedStory): SharedTurn[] {
  const story = emptyStory();
  for (const [at, event] of withoutRefused(events).entries()) addToStory(story, at + 1, event);
  const ended = isTerminal(story.state);
  const newest = new Map(
    story.entries.flatMap((entry) => (entry.kind === 'artifact' ? [[entry.artifactId, entry.seq]] : [])),
  );
  return splitTurns(story.entries).flatMap(({ said, entries }, at) => {
    const answer = answerOf({ entries, artifacts: story.artifacts, ended });
    const pieces = answer.flatMap((piece) => {
      if (piece.kind === 'message') return piece.parts.flatMap(toPiece);
      // An artifact that was made again stands where its newest form came.
      if (newest.get(piece.artifactId) !== piece.seq) return [];
      return joinTexts(story.artifacts.get(piece.artifactId)?.parts ?? []).flatMap(toPiece);
    });
    const both: SharedTurn[] = [
      {
        key: `${id} ${at} user`,
        taskId: id,
        role: 'user',
        pieces: withoutRepeats((said?.parts ?? []).flatMap(toPiece)),
      },
      { key: `${id} ${at} agent`, taskId: id, role: 'agent', pieces: withoutRepeats(pieces) },
    ];
    return both.filter((turn) => turn.pieces.length > 0);
  });
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
  if (findAp2Object(data) || metadata?.['x402.payment.required'] !== undefined)
    return [{ kind: 'withheld', what: 'payment' }];
  const view = metadata?.['parley.view'] ?? (isObject(data) ? data.kind : undefined);
  if (view !== 'table' && view !== 'chart') return [{ kind: 'withheld', what: 'data' }];
  const drawn = drawnOf(view, data);
  if (drawn === null) return [{ kind: 'withheld', what: 'data' }];
  return [{ kind: 'part', part: { kind: 'data', data: redactValue(drawn), metadata: { 'parley.view': view } } }];
}
