import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { readCard } from '../protocol/a2a/cards/read-card';
import { writeCard } from '../protocol/a2a/cards/write-card';
import type { CardShape } from '../protocol/a2a/core/card';
import type { LegacySystem } from '../protocol/a2a/dialects';
import type { JsonObject } from '../protocol/json';
import { agentNotFound } from './errors';
import { findAgent } from './find-agent';
import { isOpen, requireVisible } from './policy';
import type { AgentRecord } from './record';
import { selectCardBytes } from './store/agents';
import { toLegacyCard, toMarketplaceCard, toPublishedCard } from './to-published-card';

/** When a card became what it is, and who may keep it. */
export interface CardCacheInfo {
  changedAt: Date;
  /** False for private agents: nobody else may keep the answer. */
  isOpen: boolean;
}

/** A card that Parley answers for, not signed yet. */
export type UnsignedCard = CardCacheInfo & { card: JsonObject };

/**
 * The card Parley answers for in an agent's place; with `seed` that of the agent's path for one system.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function getAgentCard({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string; shape: CardShape; seed?: LegacySystem };
}): Promise<UnsignedCard> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const published = input.seed ? toLegacyCard(agent, input.seed) : toPublishedCard(agent);
  return { card: writeCard(published, input.shape), ...cacheInfoOf(agent) };
}

/**
 * What Parley makes of the extended card that an agent gave it for one caller: read as strictly as a listed card, and with
 * our address and our way to authenticate. Nothing of it is kept.
 * @throws {ParleyError} `agent_misbehaved` when it is no card
 */
export function rewriteExtendedCard(agent: AgentRecord, upstreamCard: JsonObject, shape: CardShape): JsonObject {
  const context = { cardUrl: agent.url, assumedEndpoint: agent.endpoints[0].url, refusalOf: () => null };
  const reading = readCard(Buffer.from(JSON.stringify(upstreamCard)), context);
  if (reading.ok) return writeCard(toPublishedCard({ slug: agent.slug, card: reading.card }), shape);
  const [first] = reading.faults;
  const fault = first ? ` At ${first.pointer || '/'}: found ${first.found}, expected ${first.expected}.` : '';
  throw new ParleyError('agent_misbehaved', `The agent’s extended card cannot be read.${fault}`);
}

/** The marketplace's own card: it is an agent too, which hands messages to the agent they name. */
export function getMarketplaceCard(shape: CardShape): JsonObject {
  return writeCard(toMarketplaceCard(), shape);
}

/**
 * The agent's own card, bytes as fetched.
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
