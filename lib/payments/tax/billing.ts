import { authorize } from '../../identity';
import type { Call, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import type { Billing, BillingRole, PartyDetails } from '../schema-income';
import { findBillingParties, saveBillingParty } from '../store/papers/tax-rows';
import { normalVatId } from './vat-id';

/**
 * Returns what the user has entered for invoices, as buyer and as seller.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for an access token
 */
export async function getBilling({ ctx }: { ctx: Ctx }): Promise<Billing> {
  const { userId } = authorize(ctx.actor, 'session');
  const parties = await findBillingParties([userId]);
  const detailsOf = (role: BillingRole): PartyDetails | null =>
    parties.find((party) => party.role === role)?.details ?? null;
  return { buyer: detailsOf('buyer'), seller: detailsOf('seller'), liable: env().TAX_LIABLE };
}

/**
 * Stores the user's details for later invoices, or with null removes them. Papers that were issued keep theirs. Requires
 * a session, because the details are personal and state who owes tax.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for an access token; `invalid_request` for a VAT id whose checksum
 *   is wrong, or that belongs to another country
 */
export async function setBilling({
  ctx,
  input: { role, details },
}: Call<{ role: BillingRole; details: PartyDetails | null }>): Promise<Billing> {
  const { userId } = authorize(ctx.actor, 'session');
  await saveBillingParty({ userId, role }, details && withNormalId(details), ctx.now);
  return getBilling({ ctx });
}

function withNormalId(details: PartyDetails): PartyDetails {
  const { vatId, country } = details;
  if (vatId === null || vatId.trim() === '') return { ...details, vatId: null };
  const normal = normalVatId(vatId, country);
  if (normal !== null) return { ...details, vatId: normal };
  const message = `not a valid VAT id of ${country}: check the country, its prefix and each digit`;
  throw new ParleyError('invalid_request', `vatId: ${message}.`, {
    data: { faults: [{ pointer: '/vatId', message }] },
  });
}
