import { applyEvent, type TaskEvent } from '../../protocol/a2a/core/events';
import { isTerminal, type Part, type Task } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import { cancelReason, withCancelReason } from '../active/run-handle';
import { Normalizer } from '../log/normalizer';
import type { CancelOutcome } from '../runs/run-source';

/**
 * Returns the final events of a canceled task: the items of the agent's response that our task lacks, then the agent's
 * final state, or `canceled` if it has none. Updates `task` with these items.
 */
export function cancelEvents(
  task: Task,
  { answer, isPending = false, reason }: CancelOutcome,
  { upstreamTaskId, at }: { upstreamTaskId: string | null; at: Date },
): TaskEvent[] {
  const normalizer = new Normalizer(task, upstreamTaskId ?? undefined);
  const events = (answer ?? []).flatMap((item) => {
    const isOther = upstreamTaskId !== null && item.taskId !== undefined && item.taskId !== upstreamTaskId;
    const missed = isOther ? [] : missedMessages(item, { task, at });
    for (const event of missed) applyEvent(task, event);
    return [...missed, ...normalizer.accept(withoutOpenState(item, task), at)];
  });
  if (!normalizer.taskEnded) events.push(...normalizer.flushPendingMessage(at));
  if (normalizer.taskEnded) return reason === undefined ? events : withCancelReason(events, cancelReason(task, reason));
  return [...events, canceledEvent(task, { isInformed: answer !== null, isPending, reason }, at)];
}

/** Removes a state that is not final, because the cancel ends the task regardless of the agent's response. */
function withoutOpenState(item: AgentItem, { status }: Task): AgentItem {
  const isOpen = (item.type === 'task' || item.type === 'status') && !isTerminal(item.state);
  return isOpen ? { ...item, state: status.state } : item;
}

/**
 * Returns the messages of the agent in its task history that our task lacks. Callers without a stream have not received
 * them.
 */
function missedMessages(item: AgentItem, { task, at }: { task: Task; at: Date }): TaskEvent[] {
  if (item.type !== 'task') return [];
  const { id: taskId, contextId } = task;
  const ids = new Set(task.history.map(({ messageId }) => messageId));
  const written = [...task.history, ...item.artifacts, ...(item.message ? [item.message] : [])];
  const known = new Set(written.map(({ parts }) => textOf(parts)));
  const missed = item.history.filter(
    ({ role, messageId, parts }) => role === 'agent' && !ids.has(messageId) && !known.has(textOf(parts)),
  );
  return missed.map((message) => ({
    type: 'status',
    status: { state: 'working', message: { ...message, taskId, contextId }, timestamp: at.toISOString() },
  }));
}

function textOf(parts: Part[]): string {
  return JSON.stringify(parts);
}

const uninformed = 'Canceled. The agent could not be notified and may still be working.';
const unnamed = 'Canceled. The agent has not confirmed the task yet; when it does, it is asked to stop.';

function canceledEvent(
  task: Task,
  { isInformed, isPending, reason }: { isInformed: boolean; isPending: boolean; reason?: string },
  at: Date,
): TaskEvent {
  const note = isPending ? unnamed : isInformed ? undefined : uninformed;
  const text = [reason, note].filter((part) => part !== undefined).join('\n\n');
  const message = text === '' ? undefined : cancelReason(task, text);
  const status = { state: 'canceled' as const, message, timestamp: at.toISOString() };
  if (isInformed || isPending) return { type: 'status', status };
  return { type: 'status', status, metadata: { 'parley.error': 'agent_unreachable' } };
}
