import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { readCard } from '../../protocol/a2a/cards/read-card';
import { type IssuedCard, writeCard } from '../../protocol/a2a/cards/write-card';
import type { CardShape, CoreExtension } from '../../protocol/a2a/core/card';
import type { LegacySystem } from '../../protocol/a2a/dialects';
import { PRICE_EXTENSION } from '../../protocol/a2a/price-extension';
import type { JsonObject } from '../../protocol/json';
import { isOpen, requireVisible } from '../authorization';
import { agentNotFound } from '../errors';
import type { AgentRecord } from '../record';
import { selectCardBytes } from '../store/card-rows';
import { agentUrlOf } from './agent-views';
import { findAgent } from './find-agent';

/** The data from which a card's cache headers are derived. */
export interface CardCacheInfo {
  changedAt: Date;
  /** False for private agents, whose cards shared caches must not store. */
  isOpen: boolean;
}

/** A published card before it is signed. */
type UnsignedCard = CardCacheInfo & { card: JsonObject };

/**
 * Returns the card that Parley publishes for an agent; with `system`, the one for the legacy path of that system.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function getAgentCard({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string; shape: CardShape; system?: LegacySystem };
}): Promise<UnsignedCard> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const published = input.system ? toLegacyCard(agent, input.system) : toPublishedCard(agent);
  return { card: writeCard(published, input.shape), ...cacheInfoOf(agent) };
}

/**
 * Validates the extended card that an agent returned for one caller like a listed card, and replaces its URL and
 * authentication with Parley's. Does not store it.
 * @throws {ParleyError} `agent_misbehaved` if it is invalid
 */
export function rewriteExtendedCard(agent: AgentRecord, upstreamCard: JsonObject, shape: CardShape): JsonObject {
  const context = { cardUrl: agent.url, assumedEndpoint: agent.endpoints[0].url, refusalOf: () => null };
  const reading = readCard(Buffer.from(JSON.stringify(upstreamCard)), context);
  if (reading.ok) return writeCard(toPublishedCard({ ...agent, card: reading.card }), shape);
  const [first] = reading.faults;
  const detail = first ? ` At ${first.pointer || '/'}: found ${first.found}, expected ${first.expected}.` : '';
  throw new ParleyError('agent_misbehaved', `The agent’s extended card could not be read.${detail}`);
}

/**
 * Returns the card of the marketplace itself, which forwards each message to the agent specified in it. With `system`,
 * the one for the legacy path of that system.
 */
export function getMarketplaceCard({ shape, system }: { shape: CardShape; system?: LegacySystem }): JsonObject {
  const card = toMarketplaceCard();
  if (!system) return writeCard(card, shape);
  return writeCard({ ...card, url: env().APP_URL + marketplacePaths[system], system }, shape);
}

/**
 * Returns the agent's own card as fetched.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function getUpstreamCard({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<CardCacheInfo & { bytes: Uint8Array }> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const bytes = await selectCardBytes(agent.id);
  if (!bytes) throw agentNotFound();
  return { bytes, ...cacheInfoOf(agent) };
}

function cacheInfoOf(agent: AgentRecord): CardCacheInfo {
  return { changedAt: agent.updatedAt, isOpen: isOpen(agent) };
}

/**
 * Returns the agent's card with Parley's URL and authentication. Streaming and push notifications are always declared,
 * because the gateway provides both, and the prices that it charges.
 */
export function toPublishedCard({
  slug,
  card,
  pricePlans,
}: Pick<AgentRecord, 'slug' | 'card' | 'pricePlans'>): IssuedCard {
  const { interfaces: _interfaces, securitySchemes: _schemes, security: _security, ...rest } = card;
  const { GRPC_URL: grpcUrl } = env();
  const description =
    `A token for this agent. Send an access token as a bearer token to POST ${env().APP_URL}/api/auth/handshake with ` +
    `{"agentSlug":"${slug}"}; the token in the response is valid for 15 minutes.`;
  return {
    ...rest,
    capabilities: {
      ...rest.capabilities,
      streaming: true,
      pushNotifications: true,
      extensions: [
        ...rest.capabilities.extensions.filter(({ uri }) => uri !== PRICE_EXTENSION),
        ...priceExtensions({ slug, pricePlans }),
      ],
    },
    url: `${agentUrlOf(slug)}/a2a/jsonrpc`,
    restUrl: `${agentUrlOf(slug)}/a2a/rest`,
    ...(grpcUrl !== undefined && { grpc: { url: grpcUrl, tenant: slug } }),
    bearer: { name: 'parley', description, scopes: ['agent:call'] },
  };
}

/** States the prices that Parley charges, and the page on which a user approves them. */
function priceExtensions({ slug, pricePlans }: Pick<AgentRecord, 'slug' | 'pricePlans'>): CoreExtension[] {
  if (pricePlans.length === 0) return [];
  const params = { plans: pricePlans.map((plan) => ({ ...plan })), approveUrl: `${agentUrlOf(slug)}/pay` };
  const description = `Prices that are charged for each task, message or unit: ${env().APP_URL}/docs/price-extension`;
  return [{ uri: PRICE_EXTENSION, description, required: false, params }];
}

/** The paths at which clients of these systems call an agent. */
const legacyPaths: Record<LegacySystem, (slug: string) => string> = {
  society: (slug) => `${agentUrlOf(slug)}/society`,
  societyai: (slug) => `${agentUrlOf(slug)}/tasks/process`,
  agentos: (slug) => `${agentUrlOf(slug)}/a2a/rpc`,
  orloj: (slug) => `${env().APP_URL}/v1/agent-systems/${slug}`,
};

/** The paths without an agent. */
const marketplacePaths: Record<LegacySystem, string> = {
  society: '/',
  societyai: '/tasks/process',
  agentos: '/a2a/rpc',
  orloj: '/a2a',
};

/** Like {@link toPublishedCard}, for the clients of one system. */
function toLegacyCard(agent: Pick<AgentRecord, 'slug' | 'card' | 'pricePlans'>, system: LegacySystem): IssuedCard {
  return { ...toPublishedCard(agent), url: legacyPaths[system](agent.slug), system };
}

function toMarketplaceCard(): IssuedCard {
  const origin = env().APP_URL;
  const description =
    `A token for the agent that you call. Send an access token as a bearer token to POST ${origin}/api/auth/handshake ` +
    'with {"agentSlug":"…"}; the token in the response is valid for 15 minutes.';
  return {
    name: 'Parley',
    description:
      'A marketplace of A2A agents. Send a message here with the agent’s slug in "metadata.agent" and it is ' +
      `forwarded to that agent; find one at ${origin}/api/agents?q=… or call it at its own URL.`,
    version: '1.0.0',
    provider: { organization: 'Parley', url: origin },
    documentationUrl: null,
    iconUrl: null,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedCard: false,
      stateTransitionHistory: false,
      extensions: [],
    },
    inputModes: ['text/plain', 'application/json', 'application/octet-stream'],
    outputModes: ['text/plain', 'text/markdown', 'application/json', 'application/octet-stream'],
    skills: [
      {
        id: 'hand-on',
        name: 'Send a message to an agent',
        description: 'Forwards text, files and data to a listed agent and streams its answer, in any version of A2A.',
        tags: ['marketplace', 'gateway', 'routing'],
        examples: [],
        inputModes: [],
        outputModes: [],
      },
    ],
    url: `${origin}/a2a/jsonrpc`,
    bearer: { name: 'parley', description, scopes: ['agent:call'] },
  };
}
