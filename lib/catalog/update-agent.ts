import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { skillUnknown } from './errors';
import { findAgent } from './find-agent';
import { requirePerson, requireRole } from './policy';
import type { AgentRecord } from './record';
import { type OwnsApp, requireOwnApp } from './register-agent';
import type { AgentView, UpdateInput } from './schema';
import type { SkillPrice } from './schema-prices';
import { type AgentChanges, changeAgent } from './store/agents';
import { toView } from './to-wire';

/** Skills that an error names. */
const shownSkills = 20;

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
  const user = requirePerson(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  if (agent.status === 'suspended' && input.status !== undefined) {
    throw new ParleyError('conflict', 'This agent is suspended. Its status changes when the moderators lift that.');
  }
  if (input.appId !== agent.appId) await requireOwnApp(user, input.appId, ownsApp);
  requireKnownSkills(agent, input.prices);
  const { slug: _slug, ...given } = input;
  const changes: AgentChanges = { ...given, updatedAt: ctx.now };
  if (input.visibility === 'public') changes.everPublic = true;
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: Object.keys(given) });
  const mayStill = (now: AgentRecord) => void requireRole(user, now, 'developer');
  return toView(await changeAgent(agent, changes, { audit, mayStill }), null);
}

function requireKnownSkills({ card }: AgentRecord, prices: SkillPrice[] = []): void {
  const known = card.skills.map(({ id }) => id);
  const index = prices.findIndex(({ skillId }) => !known.includes(skillId));
  const price = prices[index];
  if (price) throw skillUnknown(index, { found: price.skillId, known: known.slice(0, shownSkills) });
}
