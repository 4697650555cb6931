import type { Ctx } from '../../platform/context';
import type { Task } from '../../protocol/a2a/core/model';
import { isTerminal } from '../../protocol/a2a/core/model';
import { endOfTurn } from '../end-of-turn';
import { throwRefusal } from '../refused-turn';
import { withHistory } from '../with-history';
import { type NamedInput, startNamedTurn } from './start-named-turn';

/**
 * Sends a message to the task that the client names and answers with the task at the end of the turn, after `waitMs`, or at
 * once with `returnImmediately`. A first message that the agent refuses is a failed task, so that the same send answers the same again.
 * @throws what {@link startNamedTurn} throws; why the agent did not get or did not accept a reply
 */
export async function sendNamed(call: { ctx: Ctx; input: NamedInput }): Promise<{ task: Task; replayed: boolean }> {
  const { ctx, input } = call;
  const until = Date.now() + input.waitMs;
  const { turn, replayed } = await startNamedTurn(call);
  const { historyLength, returnImmediately } = input.request.configuration;
  const heard = returnImmediately ? [] : await endOfTurn(turn, ctx, until - Date.now());
  if (!isTerminal(turn.task.status.state)) throwRefusal(heard.at(-1)?.event ?? turn.last);
  return { task: withHistory(turn.task, historyLength), replayed };
}
