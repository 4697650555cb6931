import { isTerminal } from '../../protocol/a2a/core/model';
import { denyPendingCalls } from '../store/chain-approvals';
import { type ChainTaskRecord, findChainTasks, markStopped } from '../store/chains';

/**
 * Stops the work of agents for the caller of a root task: refuses further calls, denies those that wait for approval,
 * and cancels the delegated tasks, deepest first. Returns the number of canceled tasks.
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
