import { findAgentById } from '../catalog';
import type { CallerActor, Ctx } from '../platform/context';
import { errorFields, log } from '../platform/log';
import { cancelTask } from './cancel-task';
import { findOpenTasksOf, type OwnedTask } from './store/principal-tasks';

const most = 200;
const atOnce = 20;
const reason = 'The account that asked for this was deleted.';

/**
 * Cancels what agents still work on for these principals, at most the latest 200, and tells the agents. One that refuses or
 * does not answer keeps nobody waiting for longer than a cancel may take.
 */
export async function cancelOpenTasks({ ctx, principals }: { ctx: Ctx; principals: string[] }): Promise<void> {
  const open = await findOpenTasksOf(principals, most);
  for (let at = 0; at < open.length; at += atOnce) {
    await Promise.all(open.slice(at, at + atOnce).map((task) => cancel(ctx, task)));
  }
}

async function cancel(ctx: Ctx, { id, principal, agentId, credentialId, clientId }: OwnedTask): Promise<void> {
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
