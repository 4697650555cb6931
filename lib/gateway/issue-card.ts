import { type CardStanding, getAgentCard, getMarketplaceCard } from '../catalog';
import type { Ctx } from '../platform/context';
import { shared } from '../platform/registry';
import type { CardShape } from '../protocol/a2a/core/card';
import type { SeedKey } from '../protocol/a2a/dialects';
import { canonicalJson } from '../protocol/jcs';
import type { JsonObject } from '../protocol/json';
import { signCard } from '../tokens';

type CardCtx = Pick<Ctx, 'actor' | 'now'>;
type IssuedCard = CardStanding & { body: string };

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
  input: { slug: string; shape: CardShape; seed?: SeedKey };
}): Promise<IssuedCard> {
  return seal(ctx, input.shape, await getAgentCard({ ctx, input }));
}

/** The marketplace's own card, signed likewise. */
export function issueMarketplaceCard({
  ctx,
  input,
}: {
  ctx: CardCtx;
  input: { shape: CardShape };
}): Promise<IssuedCard> {
  const changedAt = shared('started-at', () => ctx.now);
  return seal(ctx, input.shape, { card: getMarketplaceCard(input.shape), changedAt, isOpen: true });
}

async function seal(
  { now }: CardCtx,
  shape: CardShape,
  { card, changedAt, isOpen }: CardStanding & { card: JsonObject },
): Promise<IssuedCard> {
  if (shape !== '1.0') return { body: JSON.stringify(card), changedAt, isOpen };
  const { signature, since } = await signCard({ payload: canonicalJson(card), now });
  const body = JSON.stringify({ ...card, signatures: [{ ...signature }] });
  return { body, changedAt: since > changedAt ? since : changedAt, isOpen };
}
