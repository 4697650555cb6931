import { foldText } from '../catalog';
import { foldTask, type TaskEvent, withoutRefused } from '../protocol/a2a/core/events';
import type { Part } from '../protocol/a2a/core/model';
import type { KnownText } from './store/texts';

/** Of a longer text the search knows the beginning. */
const longestText = 200_000;

/** What was said in a task, text by text: the messages of both sides, then what the agent made. */
export function textsOfTask(
  task: { id: string; contextId: string; createdAt: Date },
  events: TaskEvent[],
): KnownText[] {
  const { id, contextId, createdAt } = task;
  const said = foldTask({ id, contextId, createdAt: createdAt.toISOString() }, withoutRefused(events).filter(isSaid));
  const messages = said.history.map(({ role, parts }) => ({ role, text: textOf(parts) }));
  const artifacts = said.artifacts.map(({ name, parts }) => ({
    role: 'agent' as const,
    text: [name, textOf(parts)].filter(Boolean).join('\n'),
  }));
  return [...messages, ...artifacts].flatMap(({ role, text }, place) =>
    text.trim() === '' ? [] : [{ place, role, saidAt: createdAt, text, folded: foldText(text) }],
  );
}

/** Parley's own word on how a task ended is not something that was said. */
function isSaid(event: TaskEvent): boolean {
  return event.type !== 'status' || event.metadata?.['parley.error'] === undefined;
}

function textOf(parts: Part[]): string {
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : (part.filename ?? '')));
  return texts.filter(Boolean).join('\n').replaceAll('\0', '').slice(0, longestText);
}
