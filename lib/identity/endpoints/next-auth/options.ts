import type { NextAuthOptions, Profile } from 'next-auth';
import { sessionCookieName } from '../../../http/credentials';
import type { Ctx } from '../../../platform/context';
import { env } from '../../../platform/runtime/env';
import { log } from '../../../platform/runtime/log';
import { type ClientInfo, resolveProviderAccount, sessionAdapter } from '../..';
import { SESSION_LIFETIME_MS } from '../../limits';
import type { ProviderProblem } from '../../schema';
import { pathOfOwnUrl } from './request';
import { providerConfigs } from './sign-in-providers';

/**
 * next-auth's options for one request. next-auth runs the protocol with providers; users and sessions are ours. Its
 * session cookie is ours, so sign-ins by provider and by password create the same kind of session.
 */
export function authOptions(ctx: Ctx, client: ClientInfo): NextAuthOptions {
  const { APP_URL, NEXTAUTH_SECRET } = env();
  const secure = APP_URL.startsWith('https:');
  const sessionSeconds = SESSION_LIFETIME_MS / 1_000;
  return {
    secret: NEXTAUTH_SECRET,
    useSecureCookies: secure,
    adapter: sessionAdapter({ ctx, client }),
    providers: providerConfigs(),
    // With updateAge equal to the lifetime, next-auth never extends a session.
    session: { strategy: 'database', maxAge: sessionSeconds, updateAge: sessionSeconds },
    cookies: {
      sessionToken: { name: sessionCookieName(), options: { httpOnly: true, sameSite: 'lax', path: '/', secure } },
    },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    callbacks: {
      async signIn({ user, account, profile }) {
        if (!account) return problemUrl('provider_failed');
        const { provider, providerAccountId } = account;
        const problem = await resolveProviderAccount({
          ctx,
          input: {
            account: { provider, providerAccountId },
            email: user.email ?? null,
            emailVerified: emailVerifiedIn(profile),
            name: user.name ?? null,
          },
        });
        return problem === null || problemUrl(problem);
      },
      redirect: ({ url }) => `${APP_URL}${pathOfOwnUrl(url)}`,
    },
    logger: { error: logFailure, warn: (code) => log.debug('sign_in.warning', { code }), debug: () => {} },
  };
}

function problemUrl(problem: ProviderProblem): string {
  return `${env().APP_URL}/api/auth/error?error=${problem}`;
}

/** Some providers send the claim as a string. Null when absent. */
function emailVerifiedIn(profile: Profile | undefined): boolean | null {
  const claim = profile && 'email_verified' in profile ? String(profile.email_verified) : '';
  return claim === 'true' ? true : claim === 'false' ? false : null;
}

/** Logs a provider's error without state, nonce, codes and tokens, which some messages contain. */
function logFailure(code: string, metadata: Error | { error: Error }): void {
  const error = metadata instanceof Error ? metadata : metadata.error;
  const message = String(error.message)
    .replace(/[\w~+/=-]{16,}/g, '…')
    .slice(0, 300);
  log.warn('sign_in.provider_failed', { code, error: `${error.name}: ${message}` });
}
