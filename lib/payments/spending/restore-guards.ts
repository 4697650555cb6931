import { z } from 'zod';
import type { GuardChange } from '../../identity';
import { lockName, type Tx } from '../../platform/db/tx';
import { limitChangeSchema } from '../schema-spending';
import { findPasskeyLimit, savePasskeyLimit } from '../store/approvals';
import { findLimits, saveLimit, saveTimeZone } from '../store/spending-limits';
import { saveStoppedAt, updateStanding } from '../store/standing-approvals';
import { isRaise, isThresholdRaise } from './is-raise';

const time = z.iso.datetime().transform((text) => new Date(text));

/** The states before that {@link restorePaymentGuard} restores. */
const states = {
  'payment.threshold': z.object({ passkeyAbove: z.number().nullable() }),
  'spending.limit': limitChangeSchema,
  'spending.time-zone': z.object({ timeZone: z.string().nullable() }),
  'standing.create': z.object({ id: z.string() }),
  'standing.resume': z.object({ id: z.string(), pausedAt: time.nullable() }),
  'standing.allow': z.object({ stoppedAt: time.nullable() }),
};

/** The changes of payment guards that can be undone. */
export type PaymentChangeKind = keyof typeof states;

/**
 * Restores the state before a change, unless the present one is stricter, because the link of an email must not weaken
 * a guard.
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
