import type { AgentRecord } from '../catalog';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { endsTurn, isTerminal } from '../protocol/a2a/core/model';
import { taskNotFound } from './errors';
import { openStream } from './open-stream';
import { requireCaller } from './policy';
import { findTask } from './store/find-tasks';
import { loadTask } from './store/read-events';
import type { TaskStream } from './stream-item';

interface SubscribeInput {
  agent: AgentRecord;
  taskId: string;
  /** `Last-Event-ID` or `?after=`: exactly the events after it, also of a finished task. */
  after?: string;
  /** What a finished task is answered with when `after` is not given: A2A 1.0 refuses, others get the final event. */
  finished: 'refuse' | 'final-event';
}

/**
 * Re-attaches to a task's stream.
 * @throws {ParleyError} `task_not_found`, `invalid_params` (bad `after`), `unsupported_operation` (finished), `too_many_streams`
 */
export async function subscribeTask({ ctx, input }: { ctx: Ctx; input: SubscribeInput }): Promise<TaskStream> {
  const caller = requireCaller(ctx, input.agent);
  const record = await findTask({ principal: caller.principal, agentId: input.agent.id }, input.taskId);
  if (!record) throw taskNotFound(input.taskId);
  const after = input.after === undefined ? null : readAfter(input.after, record.lastSeq);
  const stream = openStream(ctx, caller);
  try {
    const { task, seq, events } = await loadTask(record);
    const ended = endsTurn(task.status.state);
    if (after !== null) {
      const missed = events.slice(after);
      return ended ? stream.close(record, missed) : stream.follow(record, missed, stream.tail(record.id, seq));
    }
    if (isTerminal(task.status.state)) {
      if (input.finished === 'refuse') {
        const text = `The task is ${task.status.state}; there is nothing to subscribe to. Get the task instead.`;
        throw new ParleyError('unsupported_operation', text, { data: { task_id: record.id } });
      }
      return stream.close(record, events.slice(-1));
    }
    const snapshot = { seq, task };
    return ended ? stream.close(record, [snapshot]) : stream.follow(record, [snapshot], stream.tail(record.id, seq));
  } catch (error) {
    stream.release();
    throw error;
  }
}

function readAfter(text: string, lastSeq: number): number {
  const after = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (after <= lastSeq) return after;
  throw new ParleyError(
    'invalid_params',
    `Last-Event-ID: found "${text.slice(0, 40)}"; expected a number from 0 to ${lastSeq}.`,
  );
}
