import type { Ctx } from '../platform/context';
import { describeCredential } from './agent-credential';
import { findAgent } from './find-agent';
import { mayReadSettings, requireVisible } from './policy';
import type { AgentView, OwnerView } from './schema';
import { selectWatch } from './store/card-watch';
import { toView } from './to-wire';

/**
 * One agent, open to everyone unless it is private. Its team also sees what is set for calls to it and how its card is kept
 * up to date.
 * @throws {ParleyError} `not_found`; `gone` when it was public once and is withdrawn
 */
export async function getAgent({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string };
}): Promise<AgentView | (AgentView & OwnerView)> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  if (!mayReadSettings(ctx.actor, agent)) return toView(agent, null);
  const [watch, credential] = await Promise.all([selectWatch(agent.id), describeCredential(agent.id)]);
  return { ...toView(agent, watch), callLimits: agent.callLimits, credential };
}
