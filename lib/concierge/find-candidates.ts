import { type AgentRecord, findAgent, isBuiltInUrl } from '../catalog';
import type { PriceSummary } from '../catalog/schema-prices';
import { searchAgents } from '../discovery';
import { MAX_QUERY_LENGTH } from '../discovery/limits';
import { type SearchResult, searchQuerySchema } from '../discovery/schema';
import { acceptsMode } from '../protocol/a2a/core/card';
import type { Part } from '../protocol/a2a/core/model';
import { isSupportedExtension } from '../protocol/extensions';
import { mayCall } from '../tokens';
import { SEARCH_RETRY_MS, SEARCHED_AGENTS } from './limits';
import type { PriceLimit } from './read-request';

/** An agent that may receive the message. */
export interface Candidate {
  agent: AgentRecord;
  skill: { id: string; name: string } | null;
  /** The degree to which the agent fits the message. */
  fit: SearchResult['fit'];
  /** Null if search by meaning is unavailable. */
  score: number | null;
  /** The share of the query's words that the agent contains, 0 to 1. */
  words: number;
  takesPayments: boolean;
  /** The price as displayed in lists. */
  price: PriceSummary;
}

/** The conditions that an agent must meet to be a candidate. */
export interface Needs {
  text: string;
  parts: Part[];
  principal: string;
  /** Ids of agents that act in the chain. */
  acting: string[];
  /** Slugs of excluded agents. */
  excluded: string[];
  maxPrice: PriceLimit | null;
}

/** The candidates, best first, and the kind of search that found them. */
export interface Found {
  candidates: Candidate[];
  semantic: string;
}

/** Returns the listed agents that match the text and can currently accept the message. */
export async function findCandidates(needs: Needs): Promise<Found> {
  const q = needs.text.slice(0, MAX_QUERY_LENGTH).toWellFormed();
  const input = searchQuerySchema.parse({ q, limit: SEARCHED_AGENTS });
  let page = await searchAgents({ ctx: { now: new Date() }, input });
  if (page.semantic === 'unavailable') {
    // The model is loaded by the first search.
    await new Promise((resolve) => setTimeout(resolve, SEARCH_RETRY_MS));
    page = await searchAgents({ ctx: { now: new Date() }, input });
  }
  const found = await Promise.all(page.items.filter(isUp).map((item) => toCandidate(item, needs)));
  const candidates = found.filter((candidate) => candidate !== null);
  const ranked = candidates.sort((a, b) => (b.score ?? -1) - (a.score ?? -1));
  return { candidates: ranked, semantic: page.semantic };
}

function isUp({ standing, presence }: SearchResult): boolean {
  return standing.health !== 'down' && !standing.isUnderMaintenance && (presence === null || presence.online);
}

async function toCandidate(item: SearchResult, needs: Needs): Promise<Candidate | null> {
  const agent = await findAgent(item.slug);
  if (!agent || !couldTake(agent, needs)) return null;
  const { match } = item;
  const skill = agent.card.skills.find(({ name }) => name === item.matchedSkill);
  const candidate: Candidate = {
    agent,
    skill: skill ? { id: skill.id, name: skill.name } : null,
    fit: item.fit,
    score: match === null || match.semantic === null ? null : match.score,
    words: match?.words ?? 0,
    takesPayments: takesPayments(agent),
    price: item.price,
  };
  return isAffordable(candidate, needs) ? candidate : null;
}

/** Returns true if the principal could send this message to the agent. Prices are not considered. */
function couldTake(
  agent: AgentRecord,
  { principal, acting, excluded, parts }: Pick<Needs, 'principal' | 'acting' | 'excluded' | 'parts'>,
): boolean {
  if (isBuiltInUrl(agent.url) || acting.includes(agent.id) || excluded.includes(agent.slug)) return false;
  if (!mayCall(principal, agent) || !acceptsAll(agent, parts)) return false;
  return agent.card.capabilities.extensions.every(({ uri, required }) => !required || isSupportedExtension(uri));
}

/**
 * Returns true if the agent accepts all parts. Files require an input mode for their type; nearly every agent accepts
 * text.
 */
function acceptsAll({ card }: AgentRecord, parts: Part[]): boolean {
  const modes = [...card.inputModes, ...card.skills.flatMap(({ inputModes }) => inputModes)];
  if (modes.length === 0) return true;
  return parts.every((part) => {
    if (part.kind === 'text' || part.kind === 'data') return true;
    return part.mediaType === undefined || acceptsMode(modes, part.mediaType);
  });
}

/** Returns true for an agent that sells, or has a price. */
function takesPayments({ badges, prices, pricePlans }: Pick<AgentRecord, 'badges' | 'prices' | 'pricePlans'>): boolean {
  return badges.includes('payments') || [...prices, ...pricePlans].some(({ amount }) => amount > 0);
}

/**
 * Returns true if the user can pay the price. Apps cannot pay. A price in a currency other than the limit's cannot be
 * compared and is therefore not affordable.
 */
function isAffordable({ agent, skill }: Candidate, { principal, maxPrice }: Needs): boolean {
  const price = priceOf({ agent, skill });
  if (price === null || price.amount === 0) return true;
  if (!principal.startsWith('usr_')) return false;
  return maxPrice === null || (price.currency === maxPrice.currency && price.amount <= maxPrice.amount);
}

/** Returns the stated price of the matching skill, otherwise the agent's lowest price; null if none is stated. */
function priceOf({ agent, skill }: Pick<Candidate, 'agent' | 'skill'>): AgentRecord['prices'][number] | null {
  const own = agent.prices.find(({ skillId }) => skillId === skill?.id);
  return own ?? [...agent.prices].sort((a, b) => a.amount - b.amount)[0] ?? null;
}
