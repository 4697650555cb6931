import type { ProviderProblem } from '@/lib/identity/schema';

export interface ProblemText {
  title: string;
  text: string;
}

const fromProviders: Record<ProviderProblem, ProblemText> = {
  account_exists: {
    title: 'There is already an account with this e-mail address',
    text: 'It was made with a password or through another provider. Sign in the way you did before; accounts are never joined by their address alone.',
  },
  email_missing: {
    title: 'The provider gave no e-mail address',
    text: 'Parley needs one for your account. Allow the provider to share it, or sign up with a password.',
  },
  email_unverified: {
    title: 'Your e-mail address is not confirmed at the provider',
    text: 'Confirm it there and try again, or sign up with a password.',
  },
  suspended: { title: 'This account is suspended', text: 'Write to the operator of this site.' },
  provider_unreachable: {
    title: 'The provider could not be reached',
    text: 'Try again in a moment, or sign in another way.',
  },
  provider_failed: {
    title: 'The provider did not confirm who you are',
    text: 'You may have cancelled, or the page was open for too long. Start again.',
  },
};

/** What the API refuses; only forms sent without script come back with these. */
const fromForms: Record<string, ProblemText> = {
  unauthenticated: {
    title: 'That did not match',
    text: 'The e-mail address or the password is not right. Check both and try again.',
  },
  forbidden: fromProviders.suspended,
  rate_limited: {
    title: 'Too many attempts',
    text: 'Wait a minute or two and try again.',
  },
  invalid_request: {
    title: 'Something in the form is not right',
    text: 'Check that every field is filled in. A password has 10 to 200 characters and is not your e-mail address.',
  },
  not_found: {
    title: 'This link is of no use any more',
    text: 'It is expired or was already used. Sign in if you confirmed your address before, or sign up again.',
  },
  conflict: {
    title: 'There is already an account with this e-mail address',
    text: 'Sign in instead.',
  },
};

const other: ProblemText = { title: 'That did not work', text: 'Try again in a few minutes.' };

/** The sentences for `?error=` of an account page; unknown codes are answered in general, never repeated. */
export function problemTextOf(code: string): ProblemText {
  if (Object.hasOwn(fromProviders, code)) return fromProviders[code as ProviderProblem];
  return (Object.hasOwn(fromForms, code) ? fromForms[code] : undefined) ?? other;
}
