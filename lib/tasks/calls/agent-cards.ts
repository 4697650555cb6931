import {
  type AgentRecord,
  type CardCacheInfo,
  getAgentCard,
  getMarketplaceCard,
  rewriteExtendedCard,
} from '../../catalog';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { type CardShape, isShapeV1 } from '../../protocol/a2a/core/card';
import type { LegacySystem } from '../../protocol/a2a/dialects';
import type { ExtensionUse } from '../../protocol/extensions';
import { canonicalJson } from '../../protocol/jcs';
import type { JsonObject } from '../../protocol/json';
import { signCard, upstreamTokenFor } from '../../tokens';
import { isAgentError } from '../agent-client/agent-error';
import { isMethodNotFound } from '../agent-client/agent-interfaces';
import { fetchExtendedCard } from '../agent-client/call-agent';
import { requireCaller } from '../authorization';

type CardCtx = Pick<Ctx, 'actor' | 'now'>;
type IssuedCard = CardCacheInfo & { body: string };

/**
 * Returns the card that Parley serves for an agent. An A2A 1.0 card is signed with the card key (§8.4). The signature
 * covers exactly that representation, so the other shapes have none.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function issueAgentCard({
  ctx,
  input,
}: {
  ctx: CardCtx;
  input: { slug: string; shape: CardShape; system?: LegacySystem };
}): Promise<IssuedCard> {
  return signIfRequired(ctx, input.shape, await getAgentCard({ ctx, input }));
}

/** The time at which this process first served the marketplace's card, which changes only with the code. */
let firstServedAt: Date | null = null;

/** Returns the marketplace's own card, signed in the same way. */
export function issueMarketplaceCard({
  ctx,
  input,
}: {
  ctx: CardCtx;
  input: { shape: CardShape; system?: LegacySystem };
}): Promise<IssuedCard> {
  firstServedAt ??= ctx.now;
  return signIfRequired(ctx, input.shape, { card: getMarketplaceCard(input), changedAt: firstServedAt, isOpen: true });
}

async function signIfRequired(
  { now }: CardCtx,
  shape: CardShape,
  { card, changedAt, isOpen }: CardCacheInfo & { card: JsonObject },
): Promise<IssuedCard> {
  if (!isShapeV1(shape)) return { body: JSON.stringify(card), changedAt, isOpen };
  const { signature, since } = await signCard({ payload: canonicalJson(card), now });
  const body = JSON.stringify({ ...card, signatures: [{ ...signature }] });
  return { body, changedAt: since > changedAt ? since : changedAt, isOpen };
}

interface ExtendedCardInput {
  agent: AgentRecord;
  shape: CardShape;
  extensions?: ExtensionUse;
}

/**
 * The error codes for a missing extended card: the code of A2A 1.0 §3.1.11, and `unsupported` from agents that do not
 * use that code.
 */
const notConfiguredCodes = [-32007, -32004];

/**
 * Returns the agent's extended card for this caller (A2A 1.0 §3.1.11, 0.3 §7.10), rewritten like the public one. A 1.x
 * card is signed. Never cached, because an agent may return a different card to each caller.
 * @throws {ParleyError} `extended_card_not_declared`; `extended_card_not_configured` if the agent has none for this
 *   caller; `agent_misbehaved`; errors of the call to the agent
 */
export async function getExtendedCard({ ctx, input }: { ctx: Ctx; input: ExtendedCardInput }): Promise<JsonObject> {
  const { agent, shape, extensions } = input;
  const { principal, credentialId, clientId } = requireCaller(ctx, agent);
  if (!agent.card.capabilities.extendedCard) {
    throw new ParleyError('extended_card_not_declared', 'This agent’s card does not declare an extended card.');
  }
  const grant = { principal, credentialId, clientId, agent, scopes: ['agent:call' as const] };
  const token = await upstreamTokenFor({ ...grant, now: ctx.now });
  const agentCard = await fetchCard({
    agent,
    extensions,
    requestId: ctx.requestId,
    token,
    trace: ctx.trace,
    signal: ctx.signal,
  });
  const card = rewriteExtendedCard(agent, agentCard, shape);
  if (!isShapeV1(shape)) return card;
  const { signature } = await signCard({ payload: canonicalJson(card), now: ctx.now, once: true });
  return { ...card, signatures: [{ ...signature }] };
}

async function fetchCard(call: Parameters<typeof fetchExtendedCard>[0]): Promise<JsonObject> {
  try {
    return await fetchExtendedCard(call);
  } catch (error) {
    const isNotConfigured =
      isMethodNotFound(error) ||
      (error instanceof ParleyError && notConfiguredCodes.some((code) => isAgentError(error, code)));
    if (!isNotConfigured) throw error;
    throw new ParleyError(
      'extended_card_not_configured',
      "The agent's card declares an extended card, but the agent does not serve one.",
    );
  }
}
