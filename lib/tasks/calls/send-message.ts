import type { Ctx } from '../../platform/context';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import { eventEndsTurn } from '../../protocol/a2a/core/events';
import { endsTurn, type Message, type Task } from '../../protocol/a2a/core/model';
import { requireCaller } from '../authorization';
import { DEFAULT_WAIT_MS, MAX_WAIT_MS } from '../limits';
import { openStream, type StreamItem, type TaskStream } from '../log/open-stream';
import { type Turn, throwIfRefused, waitForTurnEnd } from '../log/turn';
import type { SendInput } from '../runs/send-input';
import { loadTask } from '../store/task-events';
import { startTurn } from '../turns/start-turn';
import { type TaskView, viewOf, withChanges } from './task-view';

/**
 * Sends a message and returns the task at the end of the turn (with `returnImmediately`, immediately), or the agent's
 * message if that is its whole response. The task continues if the caller disconnects.
 * @throws the errors of {@link startTurn}; the reason why the agent did not receive or accept the message
 */
export async function sendMessage({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: SendInput;
}): Promise<{ task: Task } | { message: Message }> {
  const turn = await startTurn({ ctx, input });
  const { configuration } = input.request;
  const { returnImmediately, waitMs = DEFAULT_WAIT_MS } = configuration;
  throwIfRefused(turn.last);
  if (returnImmediately) return { task: await viewOfTurn(turn, configuration) };
  const events = await waitForTurnEnd(turn, ctx, Math.min(waitMs, MAX_WAIT_MS));
  // A replayed send has received no events. Its outcome is in the event log.
  const last = events.length > 0 ? events.at(-1) : (await loadTask(turn.record)).events.at(-1);
  if (last?.event.type === 'reply') return { message: last.event.message };
  throwIfRefused(last?.event);
  return { task: await viewOfTurn(turn, configuration) };
}

/** Returns the turn's task. One with its changes is read again, because the turn has only some events. */
async function viewOfTurn({ record, task }: Turn, view: TaskView): Promise<Task> {
  return viewOf(view.changes ? await loadTask(record) : { task, events: [] }, view);
}

/**
 * Sends a message and returns the items of its turn in one batch when the turn ends, after `waitMs` milliseconds, or
 * when the signal aborts. The task continues. Requires no stream slot.
 * @throws the errors of {@link startTurn}; the agent's refusal of the message
 */
export async function collectTurn({
  ctx,
  input,
  until,
}: {
  ctx: Ctx;
  input: SendInput;
  until: { waitMs: number; readonly signal: AbortSignalLike };
}): Promise<TaskTurn> {
  const turn = await startTurn({ ctx, input });
  throwIfRefused(turn.last);
  const { record, seq, task } = turn;
  const { id: taskId, contextId } = record;
  if (endsTurn(task.status.state)) return { taskId, contextId, items: [{ seq, task }] };
  const items = await waitForTurnEnd(turn, until, until.waitMs);
  throwIfRefused(items.at(-1)?.event);
  return { taskId, contextId, items };
}

/** A turn that has ended, or its items so far. */
export interface TaskTurn {
  taskId: string;
  contextId: string;
  items: StreamItem[];
}

/**
 * Sends a message and yields the task, then its events until the end of the turn, or only the agent's message if that
 * is its whole response. Closing the stream does not affect the task.
 * @throws (before the first batch) the errors of {@link startTurn}; `too_many_streams`; the agent's refusal of the
 * message
 */
export async function streamMessage({ ctx, input }: { ctx: Ctx; input: SendInput }): Promise<TaskStream> {
  const caller = requireCaller(ctx, input.agent);
  const stream = await openStream(ctx, caller);
  try {
    const turn = await startTurn({ ctx, input });
    throwIfRefused(turn.last);
    const snapshot = { seq: turn.seq, task: turn.task };
    const show = (items: TaskStream): TaskStream => withChanges(items, turn.record, input.request.configuration);
    if (endsTurn(turn.task.status.state)) return show(stream.close(turn.record, [snapshot]));
    const batches = stream.tail(turn.record, turn.seq);
    const next = batches.next();
    // The first event determines the start of the stream. An event that ends the turn may be the whole response, which
    // is a message or a refusal. Otherwise the task is already stored, and its snapshot is sent before the event is
    // persisted.
    const firstEvent = await Promise.race([turn.handle?.firstEvent(), next]);
    if (firstEvent && 'type' in firstEvent && !eventEndsTurn(firstEvent))
      return show(stream.follow(turn.record, [snapshot], { batches, next }));
    const first = await next;
    if (first.done) return show(stream.close(turn.record, [snapshot]));
    const [head] = first.value;
    if (head?.event.type === 'reply') {
      await batches.return(undefined);
      return stream.close(turn.record, [head]);
    }
    try {
      throwIfRefused(head?.event);
    } catch (refusal) {
      await batches.return(undefined);
      throw refusal;
    }
    return show(stream.follow(turn.record, [snapshot, ...first.value], { batches }));
  } catch (error) {
    stream.release();
    throw error;
  }
}
