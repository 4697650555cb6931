import { foldText } from '../catalog';
import { foldTask, type TaskEvent, withoutRefusedMessages } from '../protocol/a2a/core/events';
import type { Part } from '../protocol/a2a/core/model';
import type { IndexedText } from './store/search-index';

/** Of a longer text the search knows the beginning. */
const maxTextLength = 200_000;

/** What was said in a task, text by text: the messages of both sides, then what the agent made. */
export function extractTexts(
  task: { id: string; contextId: string; createdAt: Date },
  events: TaskEvent[],
): IndexedText[] {
  const { id, contextId, createdAt } = task;
  const foldedTask = foldTask(
    { id, contextId, createdAt: createdAt.toISOString() },
    withoutRefusedMessages(events).filter(isConversational),
  );
  const messages = foldedTask.history.map(({ role, parts }) => ({ role, text: textOf(parts) }));
  const artifacts = foldedTask.artifacts.map(({ name, parts }) => ({
    role: 'agent' as const,
    text: [name, textOf(parts)].filter(Boolean).join('\n'),
  }));
  return [...messages, ...artifacts].flatMap(({ role, text }, position) =>
    text.trim() === '' ? [] : [{ position, role, saidAt: createdAt, text, folded: foldText(text) }],
  );
}

/** Parley's own word on how a task ended is not something that was said. */
function isConversational(event: TaskEvent): boolean {
  return event.type !== 'status' || event.metadata?.['parley.error'] === undefined;
}

function textOf(parts: Part[]): string {
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : (part.filename ?? '')));
  return texts.filter(Boolean).join('\n').replaceAll('\0', '').slice(0, maxTextLength);
}
