import { authorize, findUser } from '../../identity';
import type { Ctx } from '../../platform/context';
import { readCard } from '../../protocol/a2a/cards/read-card';
import { writeCard } from '../../protocol/a2a/cards/write-card';
import { hasRole, mayReadSettings, requireVisible, roleOf } from '../authorization';
import { refusalOf } from '../cards/check-card';
import { type AgentRecord, isBuiltInUrl, isHubUrl } from '../record';
import type { AgentDetail, AgentResponse, OwnAgent, SkillView } from '../schema';
import type { CardDiagnostic } from '../schema-cards';
import { readAgentsOf, selectAgentsOf } from '../store/agent-rows';
import { selectCardBytes, selectRefreshState } from '../store/card-rows';
import { countListed } from '../store/change-agent';
import { selectPublisher } from '../store/publisher-rows';
import { findLookalike } from '../store/skeletons';
import { describeCredential } from './agent-credential';
import { skillsOf, toDetail, toOwnAgent, toView, withWarnings } from './agent-views';
import { findAgent } from './find-agent';
import { toPublishedCard } from './published-card';

/**
 * Returns one agent in the format of the API. Its team also receives its settings and the state of its card refresh.
 * @throws {ParleyError} `not_found`; `gone` if it was public before it was withdrawn
 */
export async function getAgent({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<AgentResponse> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  if (!mayReadSettings(ctx.actor, agent)) return toView(agent, null);
  const [refreshState, credential, bytes] = await Promise.all([
    selectRefreshState(agent.id),
    describeCredential(agent.id),
    selectCardBytes(agent.id),
  ]);
  const view = { ...toView(agent, refreshState), callLimits: agent.callLimits, credential };
  return withWarnings(view, bytes ? warningsOf(agent, bytes) : []);
}

// Not stored, because warnings are rarely read and the rules change.
function warningsOf({ url, endpoints: [endpoint] }: AgentRecord, bytes: Uint8Array): CardDiagnostic[] {
  const isHub = isHubUrl(url);
  const assumedEndpoint = isHub ? null : endpoint.url;
  return readCard(bytes, { cardUrl: url, assumedEndpoint, refusalOf: isHub ? () => null : refusalOf }).warnings;
}

/**
 * Returns the content of the agent's page.
 * @throws {ParleyError} `not_found`; `gone` if it was public before it was withdrawn
 */
export async function getAgentPage({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<AgentDetail> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const [owner, publisher, listings, looksLike] = await Promise.all([
    findUser(agent.ownerId),
    selectPublisher(agent.ownerId),
    countListed(agent.ownerId),
    findLookalike(agent),
  ]);
  const name = publisher?.name || owner?.name || (isBuiltInUrl(agent.url) ? 'Parley' : 'A former member');
  return toDetail(agent, {
    publisher: { name, handle: publisher?.handle ?? null, listings },
    looksLike,
    cardJson: JSON.stringify(writeCard(toPublishedCard(agent), '0.3'), null, 2),
  });
}

/**
 * Returns one agent of the user's team, even if withdrawn; null for unknown agents and those of other teams.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getAgentForMember({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string };
}): Promise<OwnAgent | null> {
  const user = authorize(ctx.actor, { scope: 'agents:read' });
  const agent = await findAgent(input.slug);
  return agent && hasRole(user, agent, 'viewer') ? toOwnAgent(agent, roleOf(user, agent) ?? 'viewer') : null;
}

/**
 * Lists the skills of an agent of the user's team, with prices; empty for unknown agents and those of other teams.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listSkillsForMember({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<SkillView[]> {
  const user = authorize(ctx.actor, { scope: 'agents:read' });
  const agent = await findAgent(input.slug);
  return agent && hasRole(user, agent, 'viewer') ? skillsOf(agent) : [];
}

/**
 * Lists at most `MAX_OWN_AGENTS` agents of the user's teams, including withdrawn ones, most recently changed first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listOwnAgents({ ctx }: { ctx: Ctx }): Promise<OwnAgent[]> {
  const user = authorize(ctx.actor, { scope: 'agents:read' });
  return (await selectAgentsOf(user.userId)).map((agent) => toOwnAgent(agent, roleOf(user, agent) ?? 'viewer'));
}

/**
 * Streams all listings that the user owns, including withdrawn ones.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function* readOwnAgents({ ctx }: { ctx: Ctx }): AsyncGenerator<OwnAgent> {
  const user = authorize(ctx.actor, { scope: 'agents:read' });
  for await (const agent of readAgentsOf(user.userId)) yield toOwnAgent(agent, 'owner');
}
