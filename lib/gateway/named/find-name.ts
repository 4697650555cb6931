import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { ownerOf, requireCaller } from '../policy';
import { findNamedTask, findNames, nameFamily } from '../store/task-names';

interface Whose {
  agent: AgentRecord;
  /** Names of threads go before others. */
  threads: boolean;
}

/** Our id of the task that the caller's client calls `name`; null when it calls none so. */
export async function findTaskNamed({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: Whose & { name: string };
}): Promise<string | null> {
  const owner = ownerOf(requireCaller(ctx, input.agent));
  const found = await findNamedTask(owner, nameFamily(input.threads), input.name);
  return found?.record.id ?? null;
}

/** What the caller's clients call these tasks; those without a name are absent. */
export async function findTaskNames(call: {
  ctx: Ctx;
  input: Whose & { taskIds: string[] };
}): Promise<Map<string, string>> {
  const { agent, threads, taskIds } = call.input;
  return findNames(ownerOf(requireCaller(call.ctx, agent)), nameFamily(threads), taskIds);
}
