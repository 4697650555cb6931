import { authorize, proveChange, recordChange } from '../../identity';
import { appendAudit, paymentLimitSet } from '../../observability';
import type { Ctx } from '../../platform/context';
import { inTransaction, lockName } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import type { PaymentSettings, SetPaymentSettings } from '../schema-approvals';
import { isThresholdRaise } from '../spending/is-raise';
import { findPasskeyLimit, savePasskeyLimit } from '../store/approvals';

/**
 * The user's payment settings.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getPaymentSettings({ ctx }: { ctx: Ctx }): Promise<PaymentSettings> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  return { passkeyAbove: await findPasskeyLimit(userId) };
}

/**
 * Sets the amount above which a payment needs a passkey. Raising or removing it is a guarded change, which no access
 * token can make.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `forbidden`; `passkey_required`, `passkey_refused`,
 * `sign_in_again`; `conflict` if it was changed in the meantime
 */
export async function setPaymentSettings({
  ctx,
  input: { passkeyAbove, assertion },
}: {
  ctx: Ctx;
  input: SetPaymentSettings;
}): Promise<PaymentSettings> {
  const { userId } = authorize(ctx.actor, { scope: 'guards:write' });
  const raises = isThresholdRaise(await findPasskeyLimit(userId), passkeyAbove);
  if (raises) await proveChange(ctx, { guard: 'payment.threshold', detail: { passkeyAbove } }, assertion);
  await inTransaction(async (tx) => {
    await lockName(tx, `spending ${userId}`);
    const known = await findPasskeyLimit(userId, tx);
    if (isThresholdRaise(known, passkeyAbove) && !raises) {
      throw new ParleyError('conflict', 'The amount was changed meanwhile. Reload it and decide again.');
    }
    await savePasskeyLimit(tx, userId, passkeyAbove);
    if (known !== passkeyAbove) {
      const detail = `Payments needed a passkey ${describeThreshold(known)}, and now ${describeThreshold(passkeyAbove)}.`;
      const before = raises ? { passkeyAbove: known } : null;
      await recordChange(tx, ctx, { userId, kind: 'payment.threshold', subject: 'threshold', detail, before });
    }
    await appendAudit(tx, paymentLimitSet(ctx, { userId, passkeyAbove }));
  });
  return { passkeyAbove };
}

function describeThreshold(passkeyAbove: number | null): string {
  return passkeyAbove === null ? 'never' : `above ${(passkeyAbove / 100).toFixed(2)}`;
}
