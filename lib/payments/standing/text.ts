import type { OpenTerms } from '../../protocol/ap2/open-mandates';
import { canonicalJson } from '../../protocol/jcs';
import { DEFAULT_AUTOMATIC_PER_DAY } from '../limits';
import type { StandingTerms } from '../schema-standing';

/** The text that a user approves with a passkey: the only source of a standing approval's terms. */
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

/** Reads a stored text. A text without a maximum of daily payments, from an earlier release, has the default. */
export function readStandingText(text: string): StandingText {
  const read = JSON.parse(text) as StandingText;
  return { ...read, terms: { ...read.terms, maxPerDay: read.terms.maxPerDay ?? DEFAULT_AUTOMATIC_PER_DAY } };
}

/** The terms as constraints of AP2. */
export function openTermsOf({ payee, currency, terms, items }: StandingText): OpenTerms {
  const { maxPerOrder, maxTotal, frequency, maxUses } = terms;
  return { payee, currency, maxPerOrder, maxTotal, frequency, maxUses, items };
}
