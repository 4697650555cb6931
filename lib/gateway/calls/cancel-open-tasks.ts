import { findAgentById } from '../../catalog';
import type { CallerActor, Ctx } from '../../platform/context';
import { newId } from '../../platform/ids';
import { errorFields, log } from '../../platform/log';
import { findOpenTasks, findRunsOfSuspendedAgents, type OwnedTask } from '../store/principal-tasks';
import { cancelTask } from './cancel-task';

const maxTasks = 200;
const concurrency = 20;
const reasons = {
  deleted: 'The account that asked for this was deleted.',
  suspended: 'Parley has taken this agent down. What it was working on ends here.',
};

/**
 * Cancels what agents still work on for these principals, at most the latest 200, and tells the agents. One that refuses or
 * does not answer keeps nobody waiting for longer than a cancel may take.
 */
export async function cancelOpenTasks({ ctx, principals }: { ctx: Ctx; principals: string[] }): Promise<void> {
  await cancelAll(ctx, await findOpenTasks(principals, maxTasks), reasons.deleted);
}

/**
 * Cancels what suspended agents are working on, for whomever, and tells them. A task that waits for its person is left as it
 * is: nobody can answer it while the agent is suspended, and it goes on should the agent come back.
 */
export async function cancelRunsOfSuspendedAgents({ now, signal }: Pick<Ctx, 'now' | 'signal'>): Promise<void> {
  const ctx: Ctx = { actor: { kind: 'anonymous' }, requestId: newId('req'), now, signal };
  await cancelAll(ctx, await findRunsOfSuspendedAgents(maxTasks), reasons.suspended);
}

async function cancelAll(ctx: Ctx, tasks: OwnedTask[], reason: string): Promise<void> {
  for (let at = 0; at < tasks.length; at += concurrency) {
    await Promise.all(tasks.slice(at, at + concurrency).map((task) => cancel(ctx, task, reason)));
  }
}

async function cancel(ctx: Ctx, task: OwnedTask, reason: string): Promise<void> {
  const { id, principal, agentId, credentialId, clientId } = task;
  const agent = await findAgentById(agentId);
  if (!agent) return;
  const scopes: CallerActor['scopes'] = ['agent:call'];
  const actor: CallerActor = { kind: 'caller', principal, agentId, credentialId, clientId, scopes };
  try {
    await cancelTask({ ctx: { ...ctx, actor }, input: { agent, taskId: id, reason } });
  } catch (error) {
    log.info('task.not_canceled', { taskId: id, ...errorFields(error) });
  }
}
