import type { NextAuthOptions, Profile } from 'next-auth';
import { sessionCookieName } from '../http/request';
import { type ClientInfo, resolveProviderAccount, sessionAdapter } from '../identity';
import type { ProviderProblem } from '../identity/schema';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { log } from '../platform/log';
import { providerConfigs } from './auth-next-providers';
import { pathOfOwnUrl } from './auth-next-redirect';

const sessionSeconds = 30 * 86_400;

/**
 * next-auth for one request: the protocol with providers is its part, people and sessions are ours. Its session cookie is
 * ours by name and attributes, so a sign-in elsewhere and one by password end in the same kind of session.
 */
export function authOptions(ctx: Ctx, client: ClientInfo): NextAuthOptions {
  const { APP_URL, NEXTAUTH_SECRET } = env();
  const secure = APP_URL.startsWith('https:');
  return {
    secret: NEXTAUTH_SECRET,
    useSecureCookies: secure,
    adapter: sessionAdapter({ ctx, place: client }),
    providers: providerConfigs(),
    // An age of update equal to the life of a session: next-auth never prolongs one.
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
            emailVerified: verifiedIn(profile),
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

/** Some providers send the claim as text. Absent, it is neither yes nor no. */
function verifiedIn(profile: Profile | undefined): boolean | null {
  const claim = profile && 'email_verified' in profile ? String(profile.email_verified) : '';
  return claim === 'true' ? true : claim === 'false' ? false : null;
}

/** What went wrong, without the values of state, nonce, codes and tokens that some messages repeat (LOG-1). */
function logFailure(code: string, metadata: Error | { error: Error }): void {
  const error = metadata instanceof Error ? metadata : metadata.error;
  const message = String(error.message)
    .replace(/[\w~+/=-]{16,}/g, '…')
    .slice(0, 300);
  log.warn('sign_in.provider_failed', { code, error: `${error.name}: ${message}` });
}
