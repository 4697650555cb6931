import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { endsTurn, isTerminal, type Task } from '../../protocol/a2a/core/model';
import { ownerOf, requireCaller } from '../authorization';
import { limitHistory } from '../calls/task-view';
import { openStream, type TaskStream } from '../log/open-stream';
import { throwIfRefused, waitForTurnEnd } from '../log/turn';
import { clientTaskIdFamily, findClientTaskIds, findTaskByClientId } from '../store/send-keys';
import { type ClientTaskInput, startClientTaskTurn } from './start-client-task-turn';

/**
 * Sends a message to the task with a client task id and returns the task at the end of the turn, after `waitMs`, or
 * immediately with `returnImmediately`. A refused first message results in a failed task, so that a retry returns the
 * same task.
 * @throws the errors of {@link startClientTaskTurn}; the reason why the agent did not receive or accept a reply
 */
export async function sendToClientTask(call: {
  ctx: Ctx;
  input: ClientTaskInput;
}): Promise<{ task: Task; replayed: boolean }> {
  const { ctx, input } = call;
  const deadline = performance.now() + input.waitMs;
  const { turn, replayed } = await startClientTaskTurn(call);
  const { historyLength, returnImmediately } = input.request.configuration;
  const events = returnImmediately ? [] : await waitForTurnEnd(turn, ctx, deadline - performance.now());
  if (!isTerminal(turn.task.status.state)) throwIfRefused(events.at(-1)?.event ?? turn.last);
  return { task: limitHistory(turn.task, historyLength), replayed };
}

/**
 * Sends a message to the task with a client task id and yields the task, then its events until the end of the turn or,
 * with `untilTerminal`, of the task. Closing the stream does not affect the task.
 * @throws (before the first batch) the errors of {@link startClientTaskTurn}; `too_many_streams`
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
      : open.follow(turn.record, [snapshot], { batches: open.tail(turn.record, turn.seq) });
    return { stream, replayed };
  } catch (error) {
    open.release();
    throw error;
  }
}

interface ClientTaskIdScope {
  agent: AgentRecord;
  /** True if thread ids take precedence. */
  threads: boolean;
}

/** Returns Parley's id of the task with this client task id; null if there is none. */
export async function findTaskIdByClientTaskId({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: ClientTaskIdScope & { clientTaskId: string };
}): Promise<string | null> {
  const owner = ownerOf(requireCaller(ctx, input.agent));
  const found = await findTaskByClientId(owner, clientTaskIdFamily(input.threads), input.clientTaskId);
  return found?.record.id ?? null;
}

/** Returns the client task ids of these tasks. Tasks without one are absent. */
export async function listClientTaskIds(call: {
  ctx: Ctx;
  input: ClientTaskIdScope & { taskIds: string[] };
}): Promise<Map<string, string>> {
  const { agent, threads, taskIds } = call.input;
  return findClientTaskIds(ownerOf(requireCaller(call.ctx, agent)), clientTaskIdFamily(threads), taskIds);
}
