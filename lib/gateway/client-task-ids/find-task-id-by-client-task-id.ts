import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { ownerOf, requireCaller } from '../policy';
import { clientTaskIdFamily, findClientTaskIds, findTaskByClientId } from '../store/client-task-ids';

interface ClientTaskIdScope {
  agent: AgentRecord;
  /** Names of threads go before others. */
  threads: boolean;
}

/** Our id of the task that the caller's client calls `name`; null when it calls none so. */
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

/** What the caller's clients call these tasks; those without a name are absent. */
export async function listClientTaskIds(call: {
  ctx: Ctx;
  input: ClientTaskIdScope & { taskIds: string[] };
}): Promise<Map<string, string>> {
  const { agent, threads, taskIds } = call.input;
  return findClientTaskIds(ownerOf(requireCaller(call.ctx, agent)), clientTaskIdFamily(threads), taskIds);
}
