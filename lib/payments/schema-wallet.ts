import { z } from 'zod';
import { time } from '../platform/schema';
import { minorUnits, moneySchema } from '../protocol/ap2/schema-offer';
import * as limits from './limits';

/** `GET /api/wallet`. */
export const walletSchema = z.object({
  test: z.boolean().describe('Test credits; no real money is used'),
  balances: z.array(z.object({ currency: z.string(), available: minorUnits, held: minorUnits })),
  /** {@link limits.MAX_WALLET_ENTRIES} */
  entries: z
    .array(
      z.object({ id: z.string(), kind: z.string(), orderId: z.string().nullable(), amount: moneySchema, at: time }),
    )
    .describe('Newest first, at most 100'),
});
export type WalletView = z.infer<typeof walletSchema>;

export const topUpSchema = z.object({
  currency: z.string().length(3),
  amount: z.int().min(limits.MIN_TOP_UP).max(limits.MAX_TOP_UP),
});
export type TopUp = z.infer<typeof topUpSchema>;

/** `POST /api/wallet/top-ups`. Test credits are posted immediately. */
export const topUpResultSchema = z.object({
  id: z.string(),
  state: z.enum(['pending', 'paid', 'expired']),
  redirectUrl: z.string().nullable().describe('The URL of the card payment page'),
});
export type TopUpView = z.infer<typeof topUpResultSchema>;
