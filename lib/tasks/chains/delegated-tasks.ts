import type { CallerActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import { isTerminal } from '../../protocol/a2a/core/model';
import { delegationKeyOf, delegationsOf } from '../../tokens';
import type { Parent } from '../runs/send-input';
import { denyPendingCalls } from '../store/chain-approvals';
import {
  type ChainTaskRecord,
  findChainTasks,
  findLatestParent,
  findPosition,
  findRunningParent,
  markStopped,
} from '../store/chains';

/**
 * Finds the parent of a delegated send: the task specified in it, which must be running, or otherwise the latest task
 * of the acting agent for the same caller, running ones first.
 * @throws {ParleyError} `forbidden` if there is none
 */
export async function findParent(caller: CallerActor, named: string | undefined): Promise<Parent> {
  const [delegation] = await delegationsOf(caller.credentialId);
  if (!delegation) throw noParent();
  const { agentId, parentId: credentialId } = delegation;
  const owner = {
    principal: caller.principal,
    agentId,
    delegation: (await delegationKeyOf(credentialId)) ?? null,
  };
  if (named !== undefined && !isUuid(named)) throw noParent();
  const taskId = named === undefined ? await findLatestParent(owner) : await findRunningParent(owner, named);
  if (taskId === null) throw noParent();
  const position = await findPosition(taskId);
  // Tokens limit the number of consecutive agents, and therefore the depth.
  const depth = (position?.depth ?? 0) + 1;
  return { taskId, agentId, credentialId, rootTaskId: position?.rootTaskId ?? taskId, depth };
}

function noParent(): ParleyError {
  const text =
    'No task found for this call. An agent can call other agents for a caller only while it works on that caller’s task. Expected a running task, or the ID of one in the message metadata "parley.parentTask".';
  return new ParleyError('forbidden', text);
}

/**
 * Stops the calls that agents make for the caller of a root task: refuses further calls, denies those that wait for
 * approval, and cancels the delegated tasks, deepest first. Returns the number of canceled tasks.
 */
export async function cancelDelegatedTasks(
  { principal, rootTaskId, now }: { principal: string; rootTaskId: string; now: Date },
  cancel: (task: ChainTaskRecord) => Promise<void>,
): Promise<number> {
  await markStopped(principal, rootTaskId, now);
  const open = (await findChainTasks(rootTaskId)).filter(({ state }) => !isTerminal(state));
  await denyPendingCalls(rootTaskId, now);
  await Promise.all(open.sort((a, b) => b.depth - a.depth).map(cancel));
  return open.length;
}
