import type { Ctx } from '../platform/context';
import { writeCardV01, writeCardV10, writeHybridCard } from '../protocol/a2a/cards/write-card';
import type { JsonObject } from '../protocol/json';
import { agentNotFound } from './errors';
import { findAgent } from './find-agent';
import { isOpen, requireVisible } from './policy';
import type { AgentRecord } from './record';
import { selectCardBytes } from './store/agents';
import { toIssuedCard, toMarketplaceCard } from './to-issued-card';

/** Which shape of a card: A2A 1.0 alone; 0.3 with 1.0 beside it; 0.1 and 0.2, as `agent.json` is. */
export type CardShape = '1.0' | '0.3' | '0.1';

const writers = { '1.0': writeCardV10, '0.3': writeHybridCard, '0.1': writeCardV01 };

/** When a card became what it is, and who may keep it. */
export interface CardStanding {
  changedAt: Date;
  /** False for private agents: nobody else may keep the answer. */
  isOpen: boolean;
}

/** A card that Parley answers for, not signed yet. */
export type IssuedShape = CardStanding & { card: JsonObject };

/**
 * The card Parley answers for in an agent's place.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function getAgentCard({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string; shape: CardShape };
}): Promise<IssuedShape> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  return { card: writers[input.shape](toIssuedCard(agent)), ...standingOf(agent) };
}

/** The marketplace's own card: it is an agent too, which hands messages to the agent they name. */
export function getMarketplaceCard(shape: CardShape): JsonObject {
  return writers[shape](toMarketplaceCard());
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
}): Promise<CardStanding & { bytes: Uint8Array }> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const bytes = await selectCardBytes(agent.id);
  if (!bytes) throw agentNotFound();
  return { bytes, ...standingOf(agent) };
}

function standingOf(agent: AgentRecord): CardStanding {
  return { changedAt: agent.updatedAt, isOpen: isOpen(agent) };
}
