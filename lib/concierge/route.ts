import { findAgent } from '../catalog';
import { CONCIERGE_SLUG } from '../discovery/schema';
import { consume } from '../limits';
import { ParleyError } from '../platform/errors';
import type { Part } from '../protocol/a2a/core/model';
import { actingAgentsOf, type BuiltInTurn } from '../tasks';
import { mayCall } from '../tokens';
import { askRouter } from './ask-router';
import { type Decision, decide, mayBeChosen, round } from './decide';
import { type Candidate, type Found, findCandidates } from './find-candidates';
import { MAX_CANDIDATES, MAX_CHOICES } from './limits';
import { looksPrivate } from './private-data';
import { ROUTING_LIMIT } from './rate-limits';
import { type Executor, lastMessageOf, readMaxPrice, textOf } from './read-request';
import { openRouting, type Routing } from './routing';
import type { ChoiceReason } from './schema';

/** A request for routing. */
export interface RouteRequest {
  /** The ids of the messages to forward, and their parts. */
  messages: string[];
  parts: Part[];
  /** The earlier task with some of the messages. */
  origin: string | null;
  excluded: string[];
  /** If set, the user must choose, for this reason. */
  askBecause?: ChoiceReason;
}

/** A decision, and the candidates to offer if the user must choose; none if no other agent is listed. */
export interface Route {
  routing: Routing;
  offered: Candidate[];
}

/**
 * Searches for agents that match the messages, and decides by the rule. If the rule requires a question, a configured
 * router model may decide instead.
 * @throws {ParleyError} `rate_limited`; `invalid_target` in a chain in which the concierge has chosen an agent already
 */
export async function route(turn: BuiltInTurn, request: RouteRequest): Promise<Route> {
  const { record } = turn;
  await consume(ROUTING_LIMIT, record.principal, new Date());
  const acting = await actingAgentsOf(turn);
  if (acting.indexOf(record.agentId, 1) > 0) {
    const text = 'The concierge has already chosen an agent in this chain. Call the agent that you need by its slug.';
    throw new ParleyError('invalid_target', text);
  }
  const { parts, excluded } = request;
  const text = textOf(parts);
  const maxPrice = readMaxPrice([turn.metadata, lastMessageOf(turn.task).metadata]);
  const found = await findCandidates({ text, parts, principal: record.principal, acting, excluded, maxPrice });
  const isPrivate = looksPrivate(parts);
  const decision = await decideWithModel(turn, { ...request, text, isPrivate }, found);
  return { routing: toRouting(turn, { request, found, ...decision }), offered: found.candidates.slice(0, MAX_CHOICES) };
}

interface Decided {
  decision: Decision;
  by: 'rule' | 'model';
}

async function decideWithModel(
  turn: BuiltInTurn,
  { askBecause, text, isPrivate }: RouteRequest & { text: string; isPrivate: boolean },
  { candidates }: Found,
): Promise<Decided> {
  const ruled = decide(candidates, { isPrivate });
  const lead = ruled.lead;
  // A turn that another node began no longer has the request's data besides the message.
  if (askBecause || turn.isResumed) {
    return { by: 'rule', decision: { chosen: null, lead, reason: askBecause ?? 'unsure' } };
  }
  if (ruled.chosen || isPrivate) return { by: 'rule', decision: ruled };
  const fitting = candidates.slice(0, MAX_CANDIDATES).filter(mayBeChosen);
  const chosen = await askRouter(text, fitting);
  return chosen ? { by: 'model', decision: { chosen, lead: lead ?? 0 } } : { by: 'rule', decision: ruled };
}

function toRouting(
  turn: BuiltInTurn,
  { request, found, decision, by }: Decided & { request: RouteRequest; found: Found },
): Routing {
  const { messageId } = lastMessageOf(turn.task);
  const { messages, origin, excluded } = request;
  const common = {
    ...openRouting({ turn: messageId, messages }),
    origin,
    excluded,
    lead: decision.lead,
    semantic: found.semantic,
    candidates: found.candidates.slice(0, MAX_CANDIDATES).map(({ agent, skill, score }) => ({
      agent: agent.slug,
      skill: skill?.id ?? null,
      score: score === null ? null : round(score),
    })),
  };
  if (!decision.chosen) {
    const offered = found.candidates.slice(0, MAX_CHOICES).map(({ agent }) => agent.slug);
    return { ...common, reason: decision.reason, offered };
  }
  const { agent, skill, score } = decision.chosen;
  const chosen = { agent: agent.slug, skill: skill?.id ?? null, score: score === null ? null : round(score) };
  return { ...common, ...chosen, state: 'routed', by };
}

/**
 * The decision that the request itself contains.
 * @throws {ParleyError} `agent_not_found`, the same for agents that are unknown or closed to the caller;
 * `invalid_params` for a skill that the agent does not have
 */
export async function routeToExecutor(turn: BuiltInTurn, { slug, skill }: Executor): Promise<Routing> {
  const agent = await findAgent(slug);
  if (!agent || !mayCall(turn.record.principal, agent) || (await actingAgentsOf(turn)).includes(agent.id)) {
    const text = `Agent "${slug.slice(0, 60)}" not found, or you may not call it. Omit "executor" to let the ${CONCIERGE_SLUG} find one, or search at /api/agents?q=….`;
    throw new ParleyError('agent_not_found', text, { data: { agent: slug.slice(0, 60) } });
  }
  if (skill !== undefined && !agent.card.skills.some(({ id }) => id === skill)) {
    const known = agent.card.skills.map(({ id }) => id).slice(0, 20);
    const text = `skill_used: ${slug} has no skill "${skill.slice(0, 60)}". It has: ${known.join(', ') || 'none'}.`;
    throw new ParleyError('invalid_params', text);
  }
  const { messageId } = lastMessageOf(turn.task);
  const named = { agent: slug, skill: skill ?? null, by: 'executor', state: 'routed' } as const;
  return { ...openRouting({ turn: messageId, messages: [messageId] }), ...named };
}
