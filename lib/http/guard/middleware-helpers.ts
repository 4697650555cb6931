import { env } from '../../platform/env';

export { isAgentPage, isForPage, ROWS_MOUNT } from '../pages/page-path';
export { rejectFormPost } from '../pages/reject-form-post';
export { requestIdOf } from '../request';
export { allowsAnyOrigin, corsHeaders, isPreflight, preflightHeaders } from './cors';
export { isStorableUrl, UNSTORABLE_URL } from './storable';

/** Origin of every absolute URL on a page (`APP_URL`), without a trailing slash. */
export function siteOrigin(): string {
  return env().APP_URL;
}

/**
 * Origins that a sign-in form may end at. Chromium holds `form-action` against every redirect of a form's answer, so the
 * authorization endpoints of the configured providers must stand in it.
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
