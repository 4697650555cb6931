import type { OpenTerms } from '../../protocol/ap2/open-mandates';
import { readCheckoutOf } from '../../protocol/ap2/open-mandates';
import { canonicalJson } from '../../protocol/jcs';
import { isObject, nonEmptyString } from '../../protocol/json';
import { DEFAULT_AUTOMATIC_PER_DAY } from '../limits';
import type { OrderRecord } from '../record';
import type { StandingTerms } from '../schema-standing';

/** The text that a user approves with a passkey, from which alone a standing approval's terms are read. */
export interface StandingText {
  v: 1;
  id: string;
  user_id: string;
  agent_id: string;
  /** The issuer whose keys sign the merchant's carts. */
  issuer: string;
  payee: OpenTerms['payee'];
  currency: string;
  /** True for test credits only. */
  test: boolean;
  terms: StandingTerms;
  items: OpenTerms['items'];
  nonce: string;
  /** The end of the approval, ISO 8601. */
  expires_at: string;
}

export function writeStandingText(text: StandingText): string {
  return canonicalJson(JSON.parse(JSON.stringify(text)));
}

/** Reads a stored text. Terms without a maximum number of daily payments have the default. */
export function readStandingText(text: string): StandingText {
  const read = JSON.parse(text) as StandingText;
  return { ...read, terms: { ...read.terms, maxPerDay: read.terms.maxPerDay ?? DEFAULT_AUTOMATIC_PER_DAY } };
}

/** Returns the payee, currency, items and terms that become AP2 constraints. */
export function openTermsOf({ payee, currency, terms, items }: StandingText): OpenTerms {
  const { maxPerOrder, maxTotal, frequency, maxUses } = terms;
  return { payee, currency, maxPerOrder, maxTotal, frequency, maxUses, items };
}

/**
 * Returns the merchant of an order as mandates identify it: by the id in its checkout, otherwise by the issuer of its
 * keys. Returns null if the checkout has an id that is not a text and therefore cannot appear in a mandate.
 */
export function merchantOf({ checkoutJwt, issuer, offer }: OrderRecord): OpenTerms['payee'] | null {
  const merchant = checkoutJwt === null ? null : (readCheckoutOf(checkoutJwt)?.merchant ?? null);
  const { id: stated = issuer, name: statedName = null } = isObject(merchant) ? merchant : {};
  const id = nonEmptyString(stated);
  if (id === undefined) return null;
  return { id, name: nonEmptyString(statedName) ?? offer?.merchantName ?? id };
}
