import { type ProviderProblem, safeNext, withNext } from '../identity/schema';
import { env } from '../platform/env';

/** Refusals of ours, and next-auth's own for a provider that it could not even ask. */
const problems: Record<string, ProviderProblem> = {
  account_exists: 'account_exists',
  email_missing: 'email_missing',
  email_unverified: 'email_unverified',
  suspended: 'suspended',
  OAuthSignin: 'provider_unreachable',
};

/** The path of an absolute URL of ours or of a path, safe to go to after signing in (RED-1). */
export function pathOfOwnUrl(text: string | undefined): string {
  const own = env().APP_URL;
  return safeNext(text?.startsWith(`${own}/`) ? text.slice(own.length) : text);
}

/** Our sign-in page with the problem that next-auth names and the way back kept. */
export function problemPage(error: string | null | undefined, next: string): string {
  return withNext('/sign-in', next, { error: problems[error ?? ''] ?? 'provider_failed' });
}

/** Where next-auth sends the browser: its own pages are replaced by ours, anything else stays. */
export function ownLocation(location: string, next: string): string {
  const { APP_URL } = env();
  if (!location.startsWith(`${APP_URL}/api/auth/`) && !location.startsWith('/')) return location;
  const url = new URL(location, APP_URL);
  return problemPage(url.searchParams.get('error'), next);
}
