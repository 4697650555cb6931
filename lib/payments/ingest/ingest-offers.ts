import { type AgentRecord, findAgentById } from '../../catalog';
import type { Part } from '../../protocol/a2a/core/model';
import { detectAp2Object } from '../../protocol/ap2/detect-ap2-object';
import { checkEligibility } from '../orders/check-eligibility';
import { checkNewOffer } from '../orders/check-new-offer';
import { hasOffer, type OfferSource, saveOffer } from '../store/offers';
import { toSourceId } from './source-id';

/** What an agent said about paying to a person, complete and on disk. */
export interface PaymentMessage {
  userId: string;
  agentId: string;
  taskId: string;
  contextId: string;
  sources: { kind: 'message' | 'artifact'; id: string; parts: Part[] }[];
}

/** Longest cart that is kept; longer ones are malformed, and their beginning says so. UTF-16 units. */
const maxCartLength = 262_144;

/**
 * Makes an order of every cart among what an agent said: verified, or rejected with the check that failed. Each counts once,
 * however often it is told. Nothing here can sign or pay.
 */
export async function ingestOffers({ sources, ...origin }: PaymentMessage, now: Date): Promise<void> {
  const agent = await findAgentById(origin.agentId);
  if (!agent) return;
  for (const { kind: sourceKind, id: sourceId, parts } of sources) {
    for (const [sourcePart, part] of parts.entries()) {
      const text = cartTextOf(part);
      if (text === null) continue;
      const source: OfferSource = { ...origin, sourceKind, sourceId: toSourceId(sourceId), sourcePart };
      await ingestOffer(source, text, { agent, now });
    }
  }
}

/** The text of a cart in this part; null when there is none. */
function cartTextOf(part: Part): string | null {
  if (part.kind !== 'data' || detectAp2Object(part.data)?.kind !== 'cart') return null;
  return part.text ?? JSON.stringify(part.data);
}

async function ingestOffer(
  source: OfferSource,
  text: string,
  { agent, now }: { agent: AgentRecord; now: Date },
): Promise<void> {
  const cartText = text.replaceAll('\0', '').slice(0, maxCartLength);
  if (await hasOffer(source, cartText)) return;
  const { checks, offer, cartHash, issuer, jti, checkoutJwt } = await checkNewOffer(text, { agent, now });
  const found = { ...source, cartText, cartHash, issuer, jti, checkoutJwt, offer, checks };
  await saveOffer(found, { at: now, checkStanding: (tx) => checkEligibility(tx, found, { agent, order: null }) });
}
