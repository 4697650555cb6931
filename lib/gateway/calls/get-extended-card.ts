import { type AgentRecord, rewriteExtendedCard } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { asParleyError, ParleyError } from '../../platform/errors';
import type { CardShape } from '../../protocol/a2a/core/card';
import type { ExtensionUse } from '../../protocol/a2a/core/extensions';
import { canonicalJson } from '../../protocol/jcs';
import type { JsonObject } from '../../protocol/json';
import { signCard, upstreamTokenFor } from '../../tokens';
import { requireCaller } from '../policy';
import { isAgentError } from '../upstream/agent-error';
import { fetchExtendedCard, isMethodNotFound } from '../upstream/call-agent';

interface ExtendedCardInput {
  agent: AgentRecord;
  shape: CardShape;
  extensions?: ExtensionUse;
}

/** With which an agent says that it has none after all: 1.0 §3.1.11, and `unsupported` by those that know no other word. */
const notConfiguredCodes = [-32007, -32004];

/**
 * The agent's extended card for this caller (A2A 1.0 §3.1.11, 0.3 §7.10), asked for with the caller's upstream token and
 * written like the public one; that of 1.0 is signed. What an agent shows one caller may be hidden from the next, so it is
 * asked each time and never kept.
 * @throws {ParleyError} `extended_card_not_declared`; `extended_card_not_configured` when the agent has none for this
 *   caller; `agent_misbehaved`; what calling an agent throws
 */
export async function getExtendedCard({ ctx, input }: { ctx: Ctx; input: ExtendedCardInput }): Promise<JsonObject> {
  const { agent, shape, extensions } = input;
  const { principal, credentialId, clientId } = requireCaller(ctx, agent);
  if (!agent.card.capabilities.extendedCard) {
    throw new ParleyError('extended_card_not_declared', 'This agent’s card declares no extended card.');
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
  if (shape !== '1.0') return card;
  const { signature } = await signCard({ payload: canonicalJson(card), now: ctx.now, once: true });
  return { ...card, signatures: [{ ...signature }] };
}

async function fetchCard(call: Parameters<typeof fetchExtendedCard>[0]): Promise<JsonObject> {
  try {
    return await fetchExtendedCard(call);
  } catch (error) {
    const known = asParleyError(error);
    const isNotConfigured =
      isMethodNotFound(error) || (known && notConfiguredCodes.some((code) => isAgentError(known, code)));
    if (!isNotConfigured) throw error;
    throw new ParleyError('extended_card_not_configured', 'The agent has no extended card, although its card says so.');
  }
}
