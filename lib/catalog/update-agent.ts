import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { findAgent } from './find-agent';
import { requirePerson, requireRole } from './policy';
import { type OwnsApp, requireOwnApp } from './register-agent';
import type { AgentView, UpdateInput } from './schema';
import { type AgentChanges, changeAgent } from './store/agents';
import { toView } from './to-wire';

/**
 * Changes tags, visibility, status or app of an agent of the person's team.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`,
 *   `forbidden`, `conflict` for the status of a suspended agent or one that changed meanwhile, `invalid_request` for a foreign app
 */
export async function updateAgent({
  ctx,
  input,
  ownsApp,
}: {
  ctx: Ctx;
  input: UpdateInput & { slug: string };
  ownsApp: OwnsApp;
}): Promise<AgentView> {
  const user = requirePerson(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  if (agent.status === 'suspended' && input.status !== undefined) {
    throw new ParleyError('conflict', 'This agent is suspended. Its status changes when the moderators lift that.');
  }
  if (input.appId !== agent.appId) await requireOwnApp(user, input.appId, ownsApp);
  const { slug: _slug, ...given } = input;
  const changes: AgentChanges = { ...given, updatedAt: ctx.now };
  if (input.visibility === 'public') changes.everPublic = true;
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: Object.keys(given) });
  return toView(await changeAgent(agent, changes, { audit }), null);
}
