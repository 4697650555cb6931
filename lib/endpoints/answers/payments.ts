import { z } from 'zod';
import type { MandateVerdict, MerchantView, SalesPage, SaleView, TopUpView, WalletView } from '../../payments/schema';
import { agentName, time } from './common';
import { minorUnits, money, orderState, refund } from './orders';

export const walletView: z.ZodType<WalletView> = z.object({
  test: z.boolean().describe('Credits for trying out: nothing real moves'),
  balances: z.array(z.object({ currency: z.string(), available: minorUnits, held: minorUnits })),
  entries: z
    .array(z.object({ id: z.string(), kind: z.string(), orderId: z.string().nullable(), amount: money, at: time }))
    .describe('Newest first, at most 100'),
});

export const topUpView: z.ZodType<TopUpView> = z.object({
  id: z.string(),
  state: z.enum(['pending', 'paid', 'expired']),
  redirectUrl: z.string().nullable().describe('Where the person pays by card'),
});

export const saleView: z.ZodType<SaleView> = z.object({
  id: z.string(),
  agent: agentName,
  state: orderState,
  code: z.string().nullable(),
  currency: z.string(),
  test: z.boolean(),
  gross: minorUnits,
  fee: minorUnits,
  refunded: minorUnits,
  net: minorUnits.describe('gross − fee − refunded, in minor units'),
  cartId: z.string().nullable(),
  merchantOrderId: z.string().nullable(),
  refund: refund.nullable(),
  createdAt: time,
});

export const salesPage: z.ZodType<SalesPage> = z.object({
  items: z.array(saleView),
  sums: z
    .array(
      z.object({
        currency: z.string(),
        test: z.boolean(),
        gross: minorUnits,
        fee: minorUnits,
        refunded: minorUnits,
        net: minorUnits,
        count: z.int(),
      }),
    )
    .describe('Of all that the filter finds, for each currency'),
  nextCursor: z.string().nullable(),
});

export const merchantView: z.ZodType<MerchantView> = z.object({
  signing: z.enum(['own', 'platform']).describe('Who signs its carts: the agent itself, or Parley for it'),
  issuer: z.string(),
  jwksUrl: z.string().nullable(),
  keys: z.array(z.object({ kid: z.string(), createdAt: time, retiresAt: time.nullable() })),
});

/** As AP2 0.1 names them. */
export const signedCart = z.object({
  merchant_authorization: z.string().describe('A JWT over the hash of the contents'),
  cart_hash: z.string().describe('SHA-256 of the canonical contents (RFC 8785), base64url'),
});

export const mandateVerdict: z.ZodType<MandateVerdict> = z.object({
  valid: z.boolean(),
  code: z.string().nullable().describe('Why not: unknown_mandate, altered_mandate, mandate_expired, not_held'),
  order: z
    .object({
      id: z.string(),
      state: orderState,
      cartId: z.string().nullable(),
      amount: minorUnits,
      currency: z.string(),
      claimed: z.boolean(),
      claimBy: time,
    })
    .nullable(),
});
