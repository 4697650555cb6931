import type { AgentRecord } from '../../catalog';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/runtime/log';
import { foldTask } from '../../protocol/a2a/core/events';
import { endsTurn, isTerminal, type Task } from '../../protocol/a2a/core/model';
import { requireTask } from '../authorization';
import { REFRESH_INTERVAL_MS } from '../limits';
import { openStream, type TaskStream } from '../log/open-stream';
import { isAwaitingCaller, refreshForReader } from '../recovery/refresh-interrupted-tasks';
import type { StoredEvent, TaskRecord } from '../store/records';
import { loadTask } from '../store/task-events';
import { type TaskView, withChanges } from './task-view';

interface SubscribeInput extends Pick<TaskView, 'changes'> {
  agent: AgentRecord;
  taskId: string;
  /** `Last-Event-ID` or `?after=`: requests exactly the events after this one, even of a finished task. */
  after?: string;
  /**
   * The response for a finished task without `after`. A2A 1.0 requires an error; other versions receive the final
   * event.
   */
  finished: 'refuse' | 'final-event';
  /** True to keep the stream open when the agent asks for input. By default, it ends with the turn. */
  untilTerminal?: boolean;
}

/**
 * Resubscribes to a task's stream.
 * @throws {ParleyError} `task_not_found`, `invalid_params` (invalid `after`), `unsupported_operation` (finished),
 *   `too_many_streams`
 */
export async function subscribeTask({ ctx, input }: { ctx: Ctx; input: SubscribeInput }): Promise<TaskStream> {
  const { caller, record } = await requireTask(ctx, input);
  return withChanges(await openSubscription(ctx, input, { caller, record }), record, input);
}

async function openSubscription(
  ctx: Ctx,
  input: SubscribeInput,
  { caller, record }: { caller: CallerActor; record: TaskRecord },
): Promise<TaskStream> {
  // Not awaited, because the stream delivers the result.
  if (isAwaitingCaller(record))
    refreshForReader({ record, agent: input.agent, minAgeMs: REFRESH_INTERVAL_MS }, ctx).catch(logRefreshError);
  const ends = input.untilTerminal ? isTerminal : endsTurn;
  const stream = await openStream(ctx, caller, ends);
  try {
    const { task, seq, events } = await loadTask(record);
    const after = input.after === undefined ? null : parseLastEventId(input.after, Math.max(seq, record.lastSeq));
    const { state } = task.status;
    const ended = ends(state);
    // A2A 1.0 §3.1.6: the stream ends with the task, and therefore stays open for an interrupted task.
    const keepOpen = input.finished === 'refuse' && !isTerminal(state);
    if (after !== null) {
      const missed = events.slice(after);
      const resumed =
        ended && !keepOpen
          ? stream.close(record, missed)
          : stream.follow(record, missed, { batches: stream.tail(record, seq), keepOpen });
      return { ...resumed, before: () => foldBefore(record, events.slice(0, after)) };
    }
    if (isTerminal(state)) {
      if (input.finished === 'refuse') {
        const text = `The task is ${state}; there is nothing to subscribe to. Get the task instead.`;
        throw new ParleyError('unsupported_operation', text, { data: { task_id: record.id } });
      }
      const last = stream.close(record, events.slice(-1));
      return { ...last, before: () => foldBefore(record, events.slice(0, -1)) };
    }
    const snapshot = { seq, task };
    if (ended && !keepOpen) return stream.close(record, [snapshot]);
    return stream.follow(record, [snapshot], { batches: stream.tail(record, seq), keepOpen });
  } catch (error) {
    stream.release();
    throw error;
  }
}

function logRefreshError(error: unknown): void {
  log.warn('interrupted_task.refresh_failed', errorFields(error));
}

function foldBefore({ id, contextId, createdAt }: TaskRecord, events: StoredEvent[]): Task {
  return foldTask(
    { id, contextId, createdAt: createdAt.toISOString() },
    events.map(({ event }) => event),
  );
}

function parseLastEventId(text: string, lastSeq: number): number {
  const after = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (after <= lastSeq) return after;
  throw new ParleyError(
    'invalid_params',
    `Last-Event-ID: found "${text.slice(0, 40)}"; expected a number from 0 to ${lastSeq}.`,
  );
}
