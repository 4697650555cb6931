import type { AgentRecord } from '../catalog';
import type { CallerActor, Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { taskNotFound } from './errors';
import { findTask, type Owner } from './store/find-tasks';
import type { TaskRecord } from './store/records';

/**
 * Returns the caller, who must be authenticated by a token for exactly this agent.
 * @throws {ParleyError} `unauthenticated`
 */
export function requireCaller(ctx: Ctx, agent: Pick<AgentRecord, 'id'>): CallerActor {
  const { actor } = ctx;
  if (actor.kind === 'caller' && actor.agentId === agent.id && actor.scopes.includes('agent:call')) return actor;
  throw new ParleyError(
    'unauthenticated',
    'This requires a token for this agent. Get one from POST /api/auth/handshake.',
  );
}

/**
 * Returns one of the caller's tasks at this agent.
 * @throws {ParleyError} `unauthenticated`; `task_not_found`
 */
export async function requireTask(
  ctx: Ctx,
  { agent, taskId }: { agent: Pick<AgentRecord, 'id'>; taskId: string },
): Promise<{ caller: CallerActor; record: TaskRecord }> {
  const caller = requireCaller(ctx, agent);
  const record = await findTask(ownerOf(caller), taskId);
  if (!record) throw taskNotFound(taskId);
  return { caller, record };
}

/**
 * Returns the owner filter of the tasks that the caller can access: the principal's tasks at this agent or, for a
 * delegated token, those of its delegation.
 */
export function ownerOf({ principal, agentId, delegation }: CallerActor): Owner {
  return { principal, agentId, delegation: delegation ?? null };
}
