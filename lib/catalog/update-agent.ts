import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { unknownSkill } from './errors';
import { findAgent } from './find-agent';
import { requireRole, requireUser } from './policy';
import type { AgentRecord } from './record';
import { type OwnsApp, requireOwnApp } from './register-agent';
import type { AgentView, UpdateInput } from './schema';
import type { SkillPrice } from './schema-prices';
import { type AgentChanges, changeAgent } from './store/agents';
import { toView } from './to-wire';

/** Skills that an error names. */
const maxNamedSkills = 20;

/**
 * Changes tags, visibility, status, app or prices of an agent of the person's team.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`,
 *   `forbidden`, `conflict` for the status of a suspended agent or one that changed meanwhile, `invalid_request` for a foreign app
 *   or a skill that the card does not name
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
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  if (agent.status === 'suspended' && input.status !== undefined) {
    throw new ParleyError('conflict', 'This agent is suspended. Its status changes when the moderators lift that.');
  }
  if (input.appId !== agent.appId) await requireOwnApp(user, input.appId, ownsApp);
  requireKnownSkills(agent, input.prices);
  const { slug: _slug, ...fields } = input;
  const changes: AgentChanges = { ...fields, updatedAt: ctx.now };
  if (input.visibility === 'public') changes.everPublic = true;
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: Object.keys(fields) });
  const mayStill = (now: AgentRecord) => void requireRole(user, now, 'developer');
  return toView(await changeAgent(agent, changes, { audit, assertAllowed: mayStill }), null);
}

function requireKnownSkills({ card }: AgentRecord, prices: SkillPrice[] = []): void {
  const known = card.skills.map(({ id }) => id);
  const index = prices.findIndex(({ skillId }) => !known.includes(skillId));
  const price = prices[index];
  if (price) throw unknownSkill(index, { found: price.skillId, known: known.slice(0, maxNamedSkills) });
}
