import { z } from 'zod';
import { time } from '../platform/schema';
import { minorUnits } from '../protocol/ap2/schema-offer';
import type { JsonObject } from '../protocol/json';
import * as limits from './limits';
import { orderState } from './schema';

/** Response of `GET /api/agents/{slug}/merchant`: the payment settings of a listing. */
export const merchantSchema = z.object({
  signing: z.enum(['own', 'platform']).describe('Who signs the carts: the agent itself, or Parley'),
  issuer: z.string(),
  jwksUrl: z.string().nullable(),
  keys: z.array(z.object({ kid: z.string(), createdAt: time, retiresAt: time.nullable() })),
});
export type MerchantView = z.infer<typeof merchantSchema>;

/** Body of `PUT /api/agents/{slug}/merchant`. */
export const merchantInputSchema = z.object({
  signing: z.enum(['own', 'platform']),
  issuer: z.string().min(1).max(limits.MAX_ISSUER_LENGTH).optional(),
  jwksUrl: z.url().max(limits.MAX_JWKS_URL_LENGTH).optional(),
  /** Public JWKs (EC, P-256) with a `kid`, instead of `jwksUrl`. */
  keys: z.array(z.record(z.string(), z.unknown())).max(limits.MAX_MERCHANT_KEYS).optional(),
  /** Lifetime of omitted keys, hours. */
  overlapHours: z.union([z.literal(0), z.literal(1), z.literal(24), z.literal(168)]).optional(),
});
export type MerchantInput = z.infer<typeof merchantInputSchema>;

const slug = z.string().min(1).max(limits.MAX_SLUG_LENGTH);
const jsonObject = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;

/** Body of `POST /api/ap2/carts`: `contents` of a CartMandate of AP2 0.1. */
export const cartToSignSchema = z.object({ agent: slug, contents: jsonObject });

/** The response of `POST /api/ap2/carts`, with the names of AP2 0.1. */
export const signedCartSchema = z.object({
  merchant_authorization: z.string().describe('A JWT over the hash of the contents'),
  cart_hash: z.string().describe('SHA-256 of the canonical contents (RFC 8785), base64url'),
});

/** Body of `POST /api/ap2/verify`. `mandate` is the data of the received part, unchanged. */
export const mandateSchema = z.object({ agent: slug, mandate: jsonObject });

/** Body of `POST /api/ap2/claim`. `orderId` is the merchant's own order number. */
export const claimSchema = mandateSchema.extend({
  orderId: z.string().trim().min(1).max(limits.MAX_MERCHANT_ORDER_ID_LENGTH),
  accept: z.boolean().default(true),
});

/** The result of the verification of a mandate. */
export const mandateVerdictSchema = z.object({
  valid: z.boolean(),
  code: z.string().nullable().describe('The reason: unknown_mandate, altered_mandate, mandate_expired or not_held'),
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
export type MandateVerdict = z.infer<typeof mandateVerdictSchema>;
