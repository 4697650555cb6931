import type { Ctx } from '../../platform/context';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn } from '../../protocol/a2a/core/model';
import { requireCaller } from '../policy';
import { throwIfRefused } from '../runs/latest-turn';
import { startTurn } from '../runs/start-turn';
import type { SendInput } from '../runs/turn';
import { openStream } from '../streams/open-stream';
import type { TaskStream } from '../streams/stream-item';

/**
 * Sends a message and yields the task and then its events until the end of the turn. When the agent answers with a
 * Message alone, that is all there is. Leaving the stream does not touch the task.
 * @throws (before the first batch) what {@link startTurn} throws; `too_many_streams`; the agent's refusal of the message
 */
export async function streamMessage({ ctx, input }: { ctx: Ctx; input: SendInput }): Promise<TaskStream> {
  const caller = requireCaller(ctx, input.agent);
  const stream = await openStream(ctx, caller);
  try {
    const turn = await startTurn({ ctx, input });
    throwIfRefused(turn.last);
    const snapshot = { seq: turn.seq, task: turn.task };
    if (endsTurn(turn.task.status.state)) return stream.close(turn.record, [snapshot]);
    const batches = stream.tail(turn.record.id, turn.seq);
    const next = batches.next();
    // The first thing the agent says decides how the stream begins. When it works on a task, which is on disk by now, the
    // stream begins before that first word is.
    const firstEvent = await Promise.race([turn.handle?.firstEvent(), next]);
    if (firstEvent && 'type' in firstEvent && !mayBeFinal(firstEvent))
      return stream.follow(turn.record, [snapshot], { batches, next });
    const first = await next;
    if (first.done) return stream.close(turn.record, [snapshot]);
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
    return stream.follow(turn.record, [snapshot, ...first.value], { batches });
  } catch (error) {
    stream.release();
    throw error;
  }
}

/** True for what may turn out to be the whole answer: a message, or a refusal. */
function mayBeFinal(firstEvent: TaskEvent): boolean {
  return firstEvent.type === 'reply' || (firstEvent.type === 'status' && endsTurn(firstEvent.status.state));
}
