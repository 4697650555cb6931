import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import type { Tx } from '../platform/tx';
import { agentNotFound } from './errors';
import type { AgentStatus } from './schema';
import { changeAgent, selectAgentById } from './store/agents';

interface Suspension {
  ctx: Ctx;
  input: { agentId: string };
  /** Written in the same transaction; gets the status that the agent had. */
  afterUpdate: (tx: Tx, previous: AgentStatus) => Promise<void>;
}

/**
 * Takes an agent off Parley for moderation, which has asked whether it may: no list, search or card has it, and no call or
 * chat reaches it, on every node as soon as the change holds; nor can its owner list it anew.
 * @throws {ParleyError} `not_found`
 */
export async function suspendAgent({ ctx, input, afterUpdate: also }: Suspension): Promise<void> {
  const agent = await selectAgentById(input.agentId);
  if (!agent) throw agentNotFound();
  const audit = agentChanged(ctx, { ...agent, change: 'suspended' });
  await changeAgent(agent, { status: 'suspended', updatedAt: ctx.now }, { afterUpdate: also, audit, force: true });
}

/**
 * Gives a suspended agent the status back that it had. One that went with its owner's account stays withdrawn.
 * @throws {ParleyError} `not_found`; `conflict` when its status changes at the same moment
 */
export async function restoreAgent({
  ctx,
  input,
  afterUpdate: also,
}: Suspension & { input: { status: AgentStatus } }): Promise<void> {
  const agent = await selectAgentById(input.agentId);
  if (!agent) throw agentNotFound();
  const audit = agentChanged(ctx, { ...agent, change: 'restored' });
  const changes = agent.status === 'suspended' ? { status: input.status, updatedAt: ctx.now } : {};
  await changeAgent(agent, changes, { afterUpdate: also, audit });
}
