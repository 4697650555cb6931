import { z } from 'zod';
import { authorize, type GuardChange, proveChange, recordChange } from '../../identity';
import { appendAudit, paymentLimitSet } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction, lockName, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import type { PaymentSettings, SetPaymentSettings } from '../schema-approvals';
import { limitChangeSchema } from '../schema-spending';
import { findPasskeyLimit, savePasskeyLimit, saveStoppedAt, updateStanding } from '../store/approvals';
import { findLimits, saveLimit, saveTimeZone } from '../store/limits-and-alerts';
import { isRaise, isThresholdRaise } from './reserve';

/**
 * Returns the user's payment settings.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getPaymentSettings({ ctx }: { ctx: Ctx }): Promise<PaymentSettings> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  return { passkeyAbove: await findPasskeyLimit(userId) };
}

/**
 * Sets the amount above which a payment requires a passkey. Raising or removing the amount is a guarded change, which
 * no access token can make.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `forbidden`; `passkey_required`, `passkey_refused`,
 * `sign_in_again`; `conflict` if it was changed in the meantime
 */
export async function setPaymentSettings({
  ctx,
  input: { passkeyAbove, assertion },
}: Call<SetPaymentSettings>): Promise<PaymentSettings> {
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
      const kind = 'payment.threshold';
      const values = {
        had: known === null ? 'none' : 'amount',
        before: { hundredths: known ?? 0 },
        has: passkeyAbove === null ? 'none' : 'amount',
        after: { hundredths: passkeyAbove ?? 0 },
      };
      const before = raises ? { passkeyAbove: known } : null;
      await recordChange(tx, ctx, { userId, kind, subject: 'threshold', facts: { of: kind, values }, before });
    }
    await appendAudit(tx, paymentLimitSet(ctx, { userId, passkeyAbove }));
  });
  return { passkeyAbove };
}

const time = z.iso.datetime().transform((text) => new Date(text));

/** The previous states that {@link restorePaymentGuard} restores. */
const states = {
  'payment.threshold': z.object({ passkeyAbove: z.number().nullable() }),
  'spending.limit': limitChangeSchema,
  'spending.time-zone': z.object({ timeZone: z.string().nullable() }),
  'standing.create': z.object({ id: z.string() }),
  'standing.resume': z.object({ id: z.string(), pausedAt: time.nullable() }),
  'standing.allow': z.object({ stoppedAt: time.nullable() }),
};

/** The changes of payment guards that can be undone. */
type PaymentChangeKind = keyof typeof states;

/**
 * Restores a payment guard to its state before a change, unless its current state is stricter, because the link in an
 * email must not weaken a guard.
 */
export async function restorePaymentGuard(
  tx: Tx,
  change: GuardChange & { kind: PaymentChangeKind },
  now: Date,
): Promise<void> {
  const { userId, kind, before } = change;
  await lockName(tx, `spending ${userId}`);
  switch (kind) {
    case 'payment.threshold': {
      const { passkeyAbove } = states[kind].parse(before);
      if (isThresholdRaise(await findPasskeyLimit(userId, tx), passkeyAbove)) return;
      return savePasskeyLimit(tx, userId, passkeyAbove);
    }
    case 'spending.limit': {
      const limit = states[kind].parse(before);
      if (isRaise(await findLimits(userId, undefined, tx), limit)) return;
      return saveLimit(tx, { ...limit, userId }, now);
    }
    case 'spending.time-zone':
      return saveTimeZone(tx, userId, states[kind].parse(before).timeZone);
    case 'standing.create':
      await updateStanding(tx, { userId, ...states[kind].parse(before) }, { revokedAt: now });
      return;
    case 'standing.resume': {
      const { id, pausedAt } = states[kind].parse(before);
      await updateStanding(tx, { userId, id }, { pausedAt });
      return;
    }
    case 'standing.allow':
      return saveStoppedAt(tx, userId, states[kind].parse(before).stoppedAt);
  }
}
