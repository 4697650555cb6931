import { env } from '../../platform/env';

export { HSTS_SECONDS } from '../limits';
export { ENDPOINT_MOUNT, isAgentPage, isAuthorizationPage, isForPage, rejectFormPost } from '../pages/page-requests';
export { requestIdOf } from '../request';
export { allowsAnyOrigin, corsHeaders, isPreflight, preflightHeaders } from './cors';
export { isStorableUrl, UNSTORABLE_URL } from './storable';

/** The origin of absolute URLs on pages (`APP_URL`), without a trailing slash. */
export function siteOrigin(): string {
  return env().APP_URL;
}

/**
 * Origins that a sign-in form may redirect to: the authorization endpoints of the configured providers. Chromium
 * applies `form-action` to every redirect after a form submission.
 */
export function signInOrigins(): string[] {
  const { GITHUB_ID, GOOGLE_ID, OIDC_ISSUER } = env();
  const origins: string[] = [];
  if (GITHUB_ID) origins.push('https://github.com');
  if (GOOGLE_ID) origins.push('https://accounts.google.com');
  if (OIDC_ISSUER) origins.push(new URL(OIDC_ISSUER).origin);
  return origins;
}

/** True under `npm run dev`. */
export function isDevelopment(): boolean {
  return env().NODE_ENV === 'development';
}
