import { env } from '../platform/env';
import type { SignInProvider } from './schema';

/** The ways to sign in elsewhere that this installation has. */
export function listProviders(): SignInProvider[] {
  const { OIDC_ISSUER, GITHUB_ID, GOOGLE_ID } = env();
  const providers: SignInProvider[] = [];
  if (OIDC_ISSUER) providers.push({ id: 'oidc', name: new URL(OIDC_ISSUER).host });
  if (GITHUB_ID) providers.push({ id: 'github', name: 'GitHub' });
  if (GOOGLE_ID) providers.push({ id: 'google', name: 'Google' });
  return providers;
}
