import type { Ctx } from '../platform/context';
import { statusOf } from '../protocol/a2a/core/events';
import { endsTurn, type Message, type Task } from '../protocol/a2a/core/model';
import { refuseAgentError } from './agent-refusal';
import { type SendInput, startTurn, type Turn } from './start-turn';
import { loadTask } from './store/read-events';
import { tailTask } from './tail-task';
import { withHistory } from './with-history';

/** Longest wait of a blocking send, milliseconds; then the task is answered as it stands and goes on. */
const longestWaitMs = 300_000;

/**
 * Sends a message and answers with the task at the end of the turn (at once with `returnImmediately`), or with the
 * message when the agent answered with one alone. The task goes on when the caller leaves.
 * @throws what {@link startTurn} throws; the agent's own refusal of the message
 */
export async function sendMessage({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: SendInput;
}): Promise<{ task: Task } | { message: Message }> {
  const turn = await startTurn({ ctx, input });
  const { historyLength, returnImmediately } = input.request.configuration;
  if (returnImmediately) return { task: withHistory(turn.task, historyLength) };
  await endOfTurn(turn, ctx.signal);
  const { task, events } = await loadTask(turn.record);
  const last = events.at(-1)?.event;
  if (last?.type === 'reply') return { message: last.message };
  if (last) refuseAgentError(last, events.length === turn.seq + 1);
  return { task: withHistory(task, historyLength) };
}

async function endOfTurn(turn: Turn, signal: AbortSignal): Promise<void> {
  if (endsTurn(turn.task.status.state)) return;
  const waited = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
  for await (const batch of tailTask(turn.record.id, turn.seq, waited)) {
    const status = batch.map(({ event }) => statusOf(event)).findLast((found) => found !== null);
    if (status && endsTurn(status.state)) return;
  }
}
