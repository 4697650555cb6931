import { type CardCacheInfo, getAgentCard, getMarketplaceCard } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { processSingleton } from '../../platform/singleton';
import type { CardShape } from '../../protocol/a2a/core/card';
import type { LegacySystem } from '../../protocol/a2a/dialects';
import { canonicalJson } from '../../protocol/jcs';
import type { JsonObject } from '../../protocol/json';
import { signCard } from '../../tokens';

type CardCtx = Pick<Ctx, 'actor' | 'now'>;
type IssuedCard = CardCacheInfo & { body: string };

/**
 * The card Parley answers for in an agent's place; that of A2A 1.0 signed by our key for cards (§8.4). The signature
 * covers exactly what is sent, so the other shapes carry none.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function issueAgentCard({
  ctx,
  input,
}: {
  ctx: CardCtx;
  input: { slug: string; shape: CardShape; seed?: LegacySystem };
}): Promise<IssuedCard> {
  return signIfRequired(ctx, input.shape, await getAgentCard({ ctx, input }));
}

/** The marketplace's own card, signed likewise. */
export function issueMarketplaceCard({
  ctx,
  input,
}: {
  ctx: CardCtx;
  input: { shape: CardShape };
}): Promise<IssuedCard> {
  const changedAt = processSingleton('started-at', () => ctx.now);
  return signIfRequired(ctx, input.shape, { card: getMarketplaceCard(input.shape), changedAt, isOpen: true });
}

async function signIfRequired(
  { now }: CardCtx,
  shape: CardShape,
  { card, changedAt, isOpen }: CardCacheInfo & { card: JsonObject },
): Promise<IssuedCard> {
  if (shape !== '1.0') return { body: JSON.stringify(card), changedAt, isOpen };
  const { signature, since } = await signCard({ payload: canonicalJson(card), now });
  const body = JSON.stringify({ ...card, signatures: [{ ...signature }] });
  return { body, changedAt: since > changedAt ? since : changedAt, isOpen };
}
