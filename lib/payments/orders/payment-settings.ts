import { authorize, requireFreshAuth } from '../../identity';
import { paymentLimitSet } from '../../observability';
import type { Ctx } from '../../platform/context';
import type { PaymentSettings } from '../schema-approvals';
import { findPasskeyLimit, setPasskeyLimit } from '../store/approvals';

/**
 * The user's payment settings.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getPaymentSettings({ ctx }: { ctx: Ctx }): Promise<PaymentSettings> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  return { passkeyAbove: await findPasskeyLimit(userId) };
}

/**
 * Sets the amount above which a payment needs a passkey. Raising or removing it needs a recent sign-in.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `sign_in_again`
 */
export async function setPaymentSettings({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: PaymentSettings;
}): Promise<PaymentSettings> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const { passkeyAbove } = input;
  const known = await findPasskeyLimit(userId);
  const isStricter = passkeyAbove !== null && (known === null || passkeyAbove <= known);
  if (!isStricter && passkeyAbove !== known) await requireFreshAuth({ ctx });
  await setPasskeyLimit(userId, passkeyAbove, paymentLimitSet(ctx, { userId, passkeyAbove }));
  return { passkeyAbove };
}
