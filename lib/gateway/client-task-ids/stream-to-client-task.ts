import type { Ctx } from '../../platform/context';
import { endsTurn, isTerminal } from '../../protocol/a2a/core/model';
import { requireCaller } from '../policy';
import { openStream } from '../streams/open-stream';
import type { TaskStream } from '../streams/stream-item';
import { type ClientTaskInput, startClientTaskTurn } from './start-client-task-turn';

/**
 * Sends a message to the task that the client names and yields the task and then its events until the end of the turn, or
 * of the task with `untilOver`. Leaving the stream does not touch the task.
 * @throws (before the first batch) what {@link startClientTaskTurn} throws; `too_many_streams`
 */
export async function streamToClientTask({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: ClientTaskInput & { untilTerminal: boolean };
}): Promise<{ stream: TaskStream; replayed: boolean }> {
  const caller = requireCaller(ctx, input.agent);
  const ends = input.untilTerminal ? isTerminal : endsTurn;
  const open = await openStream(ctx, caller, ends);
  try {
    const { turn, replayed } = await startClientTaskTurn({ ctx, input });
    const snapshot = { seq: turn.seq, task: turn.task };
    const stream = ends(turn.task.status.state)
      ? open.close(turn.record, [snapshot])
      : open.follow(turn.record, [snapshot], { batches: open.tail(turn.record.id, turn.seq) });
    return { stream, replayed };
  } catch (error) {
    open.release();
    throw error;
  }
}
