import { hashJson } from '@parley/agent/ap2';
import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { checkOffer } from '../../protocol/ap2/offer';
import { readCart } from '../../protocol/ap2/read-cart';
import type { JsonObject } from '../../protocol/json';
import { signCart } from '../ap2/sign-cart';
import { requireOwnListing } from '../authorization';
import type { CheckView } from '../schema';
import { findMerchant } from '../store/merchants';

/** A cart signature in the members of AP2 0.1. */
export interface SignedCart {
  merchant_authorization: string;
  cart_hash: string;
}

/**
 * Signs the contents of a cart for a listing with platform signing. The cart must be readable, add up, be unexpired,
 * and name the listing as the merchant.
 * @throws {ParleyError} `invalid_client`, `not_found`; `forbidden` when the listing signs its own carts; `cart_refused`
 *   with the failed check
 */
export async function authorizeCart({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { agent: string; contents: JsonObject };
}): Promise<SignedCart> {
  const agent = await requireOwnListing(ctx.actor, input.agent);
  if ((await findMerchant(agent.id))?.signing !== 'platform') {
    throw new ParleyError(
      'forbidden',
      'This agent signs its own carts. To have Parley sign them, its owner can change the selling settings.',
    );
  }
  const { contents } = input;
  assertPassed(checkMerchantName(contents, agent));
  const cartHash = await hashJson(contents);
  const reading = readCart({ contents });
  if (!reading.ok)
    assertPassed({ code: reading.code, ok: false, text: `The cart could not be read: ${reading.faults.join('; ')}.` });
  else assertPassed(checkOffer(reading.offer, ctx.now.getTime()).find(({ ok }) => !ok));
  return { merchant_authorization: await signCart({ agentId: agent.id, cartHash }, ctx.now), cart_hash: cartHash };
}

/** Parley must not sign a cart in another merchant's name. */
function checkMerchantName({ merchant_name: name }: JsonObject, agent: AgentRecord): CheckView | undefined {
  if (name === agent.name || name === agent.slug) return undefined;
  const text = `merchant_name: expected "${agent.name}" or "${agent.slug}", the names of this listing.`;
  return { code: 'wrong_merchant', ok: false, text };
}

function assertPassed(failed: CheckView | undefined): void {
  if (failed) throw new ParleyError('cart_refused', failed.text, { data: { check: failed.code } });
}
