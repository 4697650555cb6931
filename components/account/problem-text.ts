import type { ProviderProblem } from '@/lib/identity/schema';
import type { Texts } from '../texts/locale';

type ProblemKey = keyof Texts['account']['problems'];

const fromProviders: Record<ProviderProblem, ProblemKey> = {
  account_exists: 'accountExists',
  email_missing: 'emailMissing',
  email_unverified: 'emailUnverified',
  suspended: 'suspended',
  provider_unreachable: 'providerUnreachable',
  provider_failed: 'providerFailed',
};

/** Codes of the API's refusals; only forms submitted without script return with these. */
const fromForms: Record<string, ProblemKey> = {
  unauthenticated: 'noMatch',
  forbidden: 'suspended',
  rate_limited: 'tooMany',
  invalid_request: 'faulty',
  not_found: 'linkOver',
  conflict: 'conflict',
};

/**
 * The key of `account.problems` for `?error=` of an account page; unknown codes have a general text and are never
 * echoed.
 */
export function problemKeyOf(code: string): ProblemKey {
  if (Object.hasOwn(fromProviders, code)) return fromProviders[code as ProviderProblem];
  return (Object.hasOwn(fromForms, code) ? fromForms[code] : undefined) ?? 'other';
}
