import type { PricePlan } from '../../catalog/schema-prices';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { constantTimeEqual, hmac, sha256 } from '../../platform/secrets/crypto';
import { type AssetCode, currencyOfAsset } from '../../protocol/ap2/money';
import { canonicalJson } from '../../protocol/jcs';
import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import type { PaymentPayload, PaymentRequirements } from '../../protocol/x402/x402-messages';
import { X402_QUOTE_SECONDS } from '../limits';

/** The digits of minor units of the currencies as which assets count. */
const MINOR_DIGITS = 2;

/** The terms of one answer 402: what one request costs, until a time. Nothing of it is stored before it is paid. */
export interface Quote {
  id: string;
  agentId: string;
  plan: PricePlan;
  messageId: string;
  /** The hash of the request's method and parameters. */
  digest: string;
  /** The payer who continues with the token of an earlier payment; empty for a new one. */
  principal: string;
  /** Seconds since 1970. */
  expires: number;
}

/** Returns the asset of this site and the currency as which it counts; null if the site accepts no payments by x402. */
export function x402Asset(): { code: AssetCode; currency: string } | null {
  const { X402_FACILITATOR_URL, X402_ASSET_CODE: code } = env();
  return X402_FACILITATOR_URL === undefined ? null : { code, currency: currencyOfAsset(code) };
}

/** Returns the plan that a caller without an account can pay: a fixed price in the currency of this site's asset. */
export function payablePlan(plans: readonly PricePlan[]): PricePlan | null {
  const asset = x402Asset();
  if (!asset) return null;
  return plans.find((plan) => plan.x402 && plan.currency === asset.currency && isFixed(plan)) ?? null;
}

function isFixed({ kind }: PricePlan): boolean {
  return kind === 'task' || kind === 'message';
}

/** Returns the terms of a request. */
export function newQuote(terms: Omit<Quote, 'id' | 'expires'>, now: Date): Quote {
  return { ...terms, id: newId('xqt'), expires: Math.floor(now.getTime() / 1_000) + X402_QUOTE_SECONDS };
}

/**
 * Returns the requirements of a quote, with its terms and their MAC in `extra`. The same quote has the same requirements
 * while the settings of this site are unchanged.
 */
export function requirementsOf(quote: Quote): PaymentRequirements {
  const { X402_NETWORK = '', X402_ASSET = '', X402_PAY_TO = '', X402_ASSET_DECIMALS, X402_ASSET_EXTRA } = env();
  const atomic = BigInt(quote.plan.amount) * 10n ** BigInt(X402_ASSET_DECIMALS - MINOR_DIGITS);
  return {
    scheme: 'exact',
    network: X402_NETWORK,
    amount: atomic.toString(),
    asset: X402_ASSET,
    payTo: X402_PAY_TO,
    maxTimeoutSeconds: X402_QUOTE_SECONDS,
    extra: { ...X402_ASSET_EXTRA, parley: { ...quote, plan: { ...quote.plan }, mac: macOf(quote) } },
  };
}

function macOf(quote: Quote): string {
  return hmac('x402-quote', canonicalJson({ ...quote, plan: { ...quote.plan } }));
}

/** Returns the quote in accepted requirements; null if this site did not issue it. */
export function quoteIn({ extra }: PaymentRequirements): Quote | null {
  const { parley } = extra;
  if (!isObject(parley) || typeof parley.mac !== 'string') return null;
  const { mac, ...quote } = parley;
  if (!constantTimeEqual(mac, hmac('x402-quote', canonicalJson(quote)))) return null;
  const own: unknown = quote;
  return own as Quote;
}

/** Returns true if the accepted requirements are exactly those of the quote, by the current settings. */
export function isAcceptedAsOffered(accepted: PaymentRequirements, quote: Quote): boolean {
  return canonicalJson({ ...accepted }) === canonicalJson({ ...requirementsOf(quote) });
}

/**
 * Identifies what the payer signed. Schemes sign an authorization, of which one signature may have several forms, so the
 * signature does not count.
 */
export function authorizationHashOf({ accepted, payload }: PaymentPayload): string {
  const { signature: _, ...authorization } = payload;
  const signed: JsonObject = Object.keys(authorization).length > 0 ? authorization : payload;
  return sha256(canonicalJson({ network: accepted.network, signed: signed as JsonValue }));
}
