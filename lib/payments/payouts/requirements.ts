import { PAYOUT_CODES, type PayoutCode, type Requirement } from '../schema-payouts';

/**
 * The words in Stripe's names of requirements (Accounts v2: `identity.individual.date_of_birth`; v1:
 * `individual.dob.day`, `external_account`), each with the requirement that it means. The first match counts.
 */
const WORDS: [RegExp, Requirement][] = [
  [/external_account|bank_account|outbound|payout_method|payouts?\b/, 'bank_account'],
  [/document|verification|selfie/, 'document'],
  [/date_of_birth|\bdob\b/, 'birth_date'],
  [/id_number|ssn|tax_id/, 'id_number'],
  [/address/, 'address'],
  [/tos_acceptance|terms|attestation/, 'terms'],
  [/owner|director|executive|representative|relationship|person/, 'owners'],
  [/surname|given_name|first_name|last_name|legal_name|\bname\b|registered_name/, 'legal_name'],
  [/email|phone|contact/, 'contact'],
  [/business|company|entity|mcc|product_description|url|profile|structure/, 'business'],
];

/** Returns what Stripe's requirements mean in Parley's words, without repetitions. */
export function toRequirements(names: string[]): Requirement[] {
  const found = names.map((name) => WORDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other');
  return [...new Set(found)];
}

/** Stripe's codes of failed payouts and refused requests, by the code of Parley. */
const CODES: [PayoutCode, string[]][] = [
  ['account_closed', ['account_closed', 'bank_ownership_changed']],
  ['account_frozen', ['account_frozen', 'bank_account_restricted']],
  [
    'bank_account',
    [
      'no_account',
      'invalid_account_number',
      'incorrect_account_holder_name',
      'incorrect_account_holder_address',
      'incorrect_account_holder_tax_id',
      'invalid_account_number_length',
      'invalid_routing_number',
      'invalid_card',
      'expired_card',
      'unsupported_card',
      'bank_account_unusable',
      'bank_account_unverified',
      'no_external_account',
    ],
  ],
  ['currency', ['invalid_currency']],
  ['debit_not_authorized', ['debit_not_authorized']],
  ['insufficient_funds', ['insufficient_funds', 'balance_insufficient']],
  ['not_enabled', ['insufficient_capabilities_for_transfer', 'account_invalid', 'payouts_not_allowed', 'not_enabled']],
  ['amount', ['amount_too_small', 'amount_too_large', 'payout_limit_exceeded']],
  ['canceled', ['canceled']],
];

/** Returns Parley's code of a reason that Stripe or the bank gave. */
export function toPayoutCode(code: string | null): PayoutCode {
  const known = CODES.find(([, names]) => code !== null && names.includes(code))?.[0];
  return known ?? PAYOUT_CODES.find((name) => name === code) ?? 'other';
}

/** The failures after which the seller has to enter the bank account again. */
const BANK_CODES: PayoutCode[] = [
  'account_closed',
  'account_frozen',
  'bank_account',
  'debit_not_authorized',
  'currency',
];

/** Returns true for a failure after which the seller has to enter the bank account again. */
export function isBankFailure(code: PayoutCode | null): boolean {
  return code !== null && BANK_CODES.includes(code);
}
