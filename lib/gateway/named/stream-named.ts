import type { Ctx } from '../../platform/context';
import { endsTurn, isTerminal } from '../../protocol/a2a/core/model';
import { openStream } from '../open-stream';
import { requireCaller } from '../policy';
import type { TaskStream } from '../stream-item';
import { type NamedInput, startNamedTurn } from './start-named-turn';

/**
 * Sends a message to the task that the client names and yields the task and then its events until the end of the turn, or
 * of the task with `untilOver`. Leaving the stream does not touch the task.
 * @throws (before the first batch) what {@link startNamedTurn} throws; `too_many_streams`
 */
export async function streamNamed({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: NamedInput & { untilOver: boolean };
}): Promise<{ stream: TaskStream; replayed: boolean }> {
  const caller = requireCaller(ctx, input.agent);
  const ends = input.untilOver ? isTerminal : endsTurn;
  const open = await openStream(ctx, caller, ends);
  try {
    const { turn, replayed } = await startNamedTurn({ ctx, input });
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
