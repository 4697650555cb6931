import { findAgent } from '../catalog';
import { CONCIERGE_SLUG } from '../discovery/schema';
import { consume, type TokenBucketRule } from '../limits';
import { ParleyError } from '../platform/errors';
import type { Part } from '../protocol/a2a/core/model';
import { actingAgentsOf, type BuiltInTurn } from '../tasks';
import { mayCall } from '../tokens';
import { askRouter, type Decision, decide, mayBeChosen, round } from './decide';
import { type Candidate, type Found, findCandidates } from './find-candidates';
import { MAX_CANDIDATES, MAX_CHOICES } from './limits';
import { type Executor, lastMessageOf, readMaxPrice, textOf } from './read-request';
import { openRouting, type Routing } from './routing';
import type { ChoiceReason } from './schema';

/** Maximum searches of the concierge per principal. */
const ROUTING_LIMIT: TokenBucketRule = {
  name: 'concierge',
  burst: 30,
  perMinute: 60,
  onDatabaseDown: 'count-here',
};

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
interface Route {
  routing: Routing;
  offered: Candidate[];
}

/**
 * Searches for agents that match the messages, and decides by the rule. If the rule requires a question, a configured
 * router model may decide instead.
 * @throws {ParleyError} `rate_limited`; `invalid_target` in a chain in which the concierge has already chosen an agent
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
  // In a turn that another node started, only the message remains of the request's data.
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
 * Returns the decision that the request itself contains.
 * @throws {ParleyError} `agent_not_found` for agents that are unknown, not available to the caller or already act in
 *   the chain; `invalid_params` for a skill that the agent does not have
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

/** Formats of keys, tokens and other secrets. */
const secretPatterns: RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  // Prefixes of keys of well-known services, and of Parley.
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\b(?:gh[pousr]|glpat|xox[abprs]|parley|npm|hf)[-_][A-Za-z0-9_-]{16,}/,
  /\bAIza[A-Za-z0-9_-]{30,}/,
  // A JSON web token.
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/,
  // The name of a secret followed by its value, in several languages.
  /\b(?:pass(?:word|wort|phrase|code)?|passwort|kennwort|contraseña|mot de passe|senha|wachtwoord|pwd|pin|tan|otp|secret|token|api[ _-]?key|private[ _-]?key|access[ _-]?key|credentials?)\b["']?\s*(?:is|ist|es|:|=)\s*["']?\S{4,}/i,
  /\bauthorization:\s*(?:bearer|basic)\s+\S{8,}/i,
  /:\/\/[^\s/:@]+:[^\s/@]{3,}@/,
  // An IBAN.
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/,
  // A social security number of the US.
  /\b\d{3}-\d{2}-\d{4}\b/,
  // Long random text: a key in hexadecimal digits, or of mixed letters and digits.
  /\b[0-9a-f]{32,}\b/i,
  /(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[a-z])(?=[A-Za-z0-9+/_-]*[A-Z])[A-Za-z0-9+/_-]{32,}/,
];

/** Returns true for a message with a file or data, or with text in the format of a key, a password or a card number. */
export function looksPrivate(parts: Part[]): boolean {
  return parts.some((part) => part.kind !== 'text' || holdsSecret(part.text));
}

function holdsSecret(text: string): boolean {
  return secretPatterns.some((pattern) => pattern.test(text)) || holdsCardNumber(text);
}

/**
 * Returns true for a text with a number of 13 to 19 digits, possibly in groups, that has a valid check digit (ISO/IEC
 * 7812-1).
 */
function holdsCardNumber(text: string): boolean {
  for (const [found] of text.matchAll(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g)) {
    const digits = found.replace(/\D/g, '');
    let sum = 0;
    for (let index = 0; index < digits.length; index++) {
      const digit = Number(digits[digits.length - 1 - index]);
      const doubled = index % 2 === 1 ? digit * 2 : digit;
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    if (sum % 10 === 0) return true;
  }
  return false;
}
