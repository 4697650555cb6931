import type { Ctx } from '../platform/context';
import type { Message, Task } from '../protocol/a2a/core/model';
import { endOfTurn } from './end-of-turn';
import { LONGEST_WAIT_MS } from './longest-wait';
import { throwRefusal } from './refused-turn';
import { startTurn } from './start-turn';
import { loadTask } from './store/read-events';
import type { SendInput } from './turn';
import { withHistory } from './with-history';

/** Longest wait of a blocking send, milliseconds; then the task is answered as it stands and goes on. */
const usualWaitMs = 300_000;

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
  const { historyLength, returnImmediately, waitMs = usualWaitMs } = input.request.configuration;
  throwRefusal(turn.last);
  if (returnImmediately) return { task: withHistory(turn.task, historyLength) };
  const heard = await endOfTurn(turn, ctx, Math.min(waitMs, LONGEST_WAIT_MS));
  // A send that was made before heard nothing now: what it was answered with then is in the story.
  const last = heard.length > 0 ? heard.at(-1) : (await loadTask(turn.record)).events.at(-1);
  if (last?.event.type === 'reply') return { message: last.event.message };
  throwRefusal(last?.event);
  return { task: withHistory(turn.task, historyLength) };
}
