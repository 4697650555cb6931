import type { Ctx } from '../platform/context';
import { sha256 } from '../platform/crypto';
import { writeCardV10, writeHybridCard } from '../protocol/a2a/cards/write-card';
import type { CallableVersion } from '../protocol/a2a/core/card';
import { agentNotFound } from './errors';
import { findAgent } from './find-agent';
import { isOpen, requireVisible } from './policy';
import { selectCardBytes } from './store/agents';
import { toIssuedCard } from './to-wire';

/** A card ready to be sent. */
export interface ServedCard {
  body: string | Uint8Array;
  /** SHA-256 of the body, hex. */
  digest: string;
  changedAt: Date;
  /** False for private agents: nobody else may keep the answer. */
  isOpen: boolean;
}

/**
 * The card Parley answers for: pure A2A 1.0, or the hybrid that callers of 0.3 read.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function getAgentCard({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string; version: CallableVersion };
}): Promise<ServedCard> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const issued = toIssuedCard(agent);
  const body = JSON.stringify(input.version === '1.0' ? writeCardV10(issued) : writeHybridCard(issued));
  return { body, digest: sha256(body), changedAt: agent.updatedAt, isOpen: isOpen(agent) };
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
}): Promise<ServedCard> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const body = await selectCardBytes(agent.id);
  if (!body) throw agentNotFound();
  return { body, digest: sha256(body), changedAt: agent.updatedAt, isOpen: isOpen(agent) };
}
