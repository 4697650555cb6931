import type { Ctx } from '../../platform/context';
import type { Message, Task } from '../../protocol/a2a/core/model';
import { MAX_WAIT_MS } from '../limits';
import { throwIfRefused } from '../runs/latest-turn';
import { startTurn } from '../runs/start-turn';
import type { SendInput } from '../runs/turn';
import { loadTask } from '../store/read-events';
import { waitForTurnEnd } from '../streams/wait-for-turn-end';
import { limitHistory } from './limit-history';

/** Longest wait of a blocking send, milliseconds; then the task is answered as it stands and goes on. */
const defaultWaitMs = 300_000;

/**
 * Sends a message and answers with the task at the end of the turn (at once with `returnImmediately`), or with the
 * message when the agent answered with one alone. The task goes on when the caller leaves.
 * @throws what {@link startTurn} throws; why the agent did not get or did not accept the message (decision 17)
 */
export async function sendMessage({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: SendInput;
}): Promise<{ task: Task } | { message: Message }> {
  const turn = await startTurn({ ctx, input });
  const { historyLength, returnImmediately, waitMs = defaultWaitMs } = input.request.configuration;
  throwIfRefused(turn.last);
  if (returnImmediately) return { task: limitHistory(turn.task, historyLength) };
  const events = await waitForTurnEnd(turn, ctx, Math.min(waitMs, MAX_WAIT_MS));
  // A send that was made before heard nothing now: what it was answered with then is in the story.
  const last = events.length > 0 ? events.at(-1) : (await loadTask(turn.record)).events.at(-1);
  if (last?.event.type === 'reply') return { message: last.event.message };
  throwIfRefused(last?.event);
  return { task: limitHistory(turn.task, historyLength) };
}
