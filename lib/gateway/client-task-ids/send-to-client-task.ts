import type { Ctx } from '../../platform/context';
import type { Task } from '../../protocol/a2a/core/model';
import { isTerminal } from '../../protocol/a2a/core/model';
import { limitHistory } from '../calls/limit-history';
import { throwIfRefused } from '../runs/latest-turn';
import { waitForTurnEnd } from '../streams/wait-for-turn-end';
import { type ClientTaskInput, startClientTaskTurn } from './start-client-task-turn';

/**
 * Sends a message to the task that the client names and answers with the task at the end of the turn, after `waitMs`, or at
 * once with `returnImmediately`. A first message that the agent refuses is a failed task, so that the same send answers the same again.
 * @throws what {@link startClientTaskTurn} throws; why the agent did not get or did not accept a reply
 */
export async function sendToClientTask(call: {
  ctx: Ctx;
  input: ClientTaskInput;
}): Promise<{ task: Task; replayed: boolean }> {
  const { ctx, input } = call;
  const deadline = Date.now() + input.waitMs;
  const { turn, replayed } = await startClientTaskTurn(call);
  const { historyLength, returnImmediately } = input.request.configuration;
  const events = returnImmediately ? [] : await waitForTurnEnd(turn, ctx, deadline - Date.now());
  if (!isTerminal(turn.task.status.state)) throwIfRefused(events.at(-1)?.event ?? turn.last);
  return { task: limitHistory(turn.task, historyLength), replayed };
}
