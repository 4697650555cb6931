import type { CallableInterface, CoreCard } from '../protocol/a2a/core/card';
import type { AgentStatus, Badge, MemberRole, Notice, Visibility } from './schema';
import type { SignatureVerdict } from './schema-cards';
import type { PricePlan, PriceSummary, SkillPrice } from './schema-prices';
import type { OwnCallLimits } from './schema-registration';

/**
 * An interface of the agent that Parley can call. `HUB` means that the agent connects to Parley, `BUILT-IN` that it
 * runs in Parley.
 */
type AgentEndpoint = Pick<CallableInterface, 'url' | 'protocolVersion' | 'tenant' | 'assumed'> & {
  binding: CallableInterface['binding'] | 'HUB' | 'BUILT-IN';
};

/** A listed agent with its current card. */
export interface AgentRecord {
  id: string;
  slug: string;
  ownerId: string;
  /** The roles of all members except the owner, by user id. Should be read with `roleOf`. */
  team: Record<string, MemberRole>;
  /** The developer app that may introspect tokens for this agent. */
  appId: string | null;
  /** The registered URL, normalized. */
  url: string;
  name: string;
  description: string;
  version: string;
  tags: string[];
  badges: Badge[];
  visibility: Visibility;
  status: AgentStatus;
  /** True if the agent was ever public, in which case a withdrawn agent is reported as `gone`. */
  everPublic: boolean;
  card: CoreCard;
  signature: SignatureVerdict;
  /** The endpoints in the card's order of preference. */
  endpoints: [AgentEndpoint, ...AgentEndpoint[]];
  callLimits: OwnCallLimits;
  prices: SkillPrice[];
  /** The prices that Parley enforces, at most one per currency. */
  pricePlans: PricePlan[];
  notice: Notice | null;
  /** True if every changed card requires approval. */
  holdsCards: boolean;
  /** SHA-256 of the stored icon, hex; null if there is none. */
  iconDigest: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A fetched card as one version of an agent. */
export interface CardVersion {
  id: string;
  digest: string;
  cardUrl: string;
  bytes: Buffer;
  card: CoreCard;
  signature: SignatureVerdict;
  fetchedAt: Date;
  validators: Validators;
}

/** Validators of a response, for conditional requests (RFC 9110 §13.1). */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** Returns the listed URL of an agent that connects to Parley instead of having its own URL. */
export function hubUrlOf(slug: string): string {
  return `ws-agent://${slug}`;
}

/** Returns true for a URL that {@link hubUrlOf} returns. */
export function isHubUrl(url: string): boolean {
  return url.startsWith('ws-agent://');
}

/** Returns true for an MCP server whose tools are the agent's skills. */
export function isMcpServer({ endpoints }: Pick<AgentRecord, 'endpoints'>): boolean {
  return endpoints[0].binding === 'MCP';
}

/** The owner of the agents that Parley runs itself. Not the id of any user. */
export const BUILT_IN_OWNER = 'parley';

/** Returns the listed URL of an agent that Parley runs itself. */
export function builtInUrlOf(slug: string): string {
  return `parley://${slug}`;
}

/** Returns true for a URL that {@link builtInUrlOf} returns. */
export function isBuiltInUrl(url: string): boolean {
  return url.startsWith('parley://');
}

const noAmount = { amount: null, currency: null, unit: null, per: null };

/**
 * Returns the price of an agent in lists: its first price plan. Without one, an agent is free if each of its skills has a
 * price of 0; otherwise, its price is the smallest one above 0, in the currency of the first. Prices of skills that were
 * removed from the card are ignored.
 */
export function priceSummaryOf({
  card,
  prices,
  pricePlans: [plan],
  badges,
}: Pick<AgentRecord, 'card' | 'prices' | 'pricePlans' | 'badges'>): PriceSummary {
  if (plan) {
    const { kind, amount, currency, unit, per } = plan;
    if (kind === 'free') return { kind, amount, currency, unit: 'task', per: null };
    return { kind: 'plan', amount, currency, unit: unit ?? kind, per };
  }
  const stated = card.skills.flatMap((skill) => prices.find(({ skillId }) => skillId === skill.id) ?? []);
  const [first] = stated;
  if (first && stated.length === card.skills.length && stated.every(({ amount }) => amount === 0)) {
    return { kind: 'free', amount: 0, currency: first.currency, unit: 'task', per: null };
  }
  const [paid, ...others] = stated.filter(({ amount }) => amount > 0);
  if (!paid) return { kind: badges.includes('payments') ? 'in_chat' : 'unstated', ...noAmount };
  const amounts = [paid, ...others].filter(({ currency }) => currency === paid.currency).map(({ amount }) => amount);
  return { kind: 'from', amount: Math.min(...amounts), currency: paid.currency, unit: 'task', per: null };
}
