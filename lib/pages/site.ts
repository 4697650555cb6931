import { describeApi } from '../endpoints/openapi/describe-api';
import { endpoints } from '../endpoints/table';
import { guestCookieName, sessionCookieName } from '../http/credentials';
import { chooseLanguage, findGuestActor, findSessionActor } from '../identity';
import type { Ctx } from '../platform/context';
import { readFromReplica } from '../platform/db/replicas/read-from-replica';
import { newId } from '../platform/ids';
import { env } from '../platform/runtime/env';
import { errorFields, log } from '../platform/runtime/log';
import type { OfferedLocale } from '../texts/languages';

export { listProblems, problemIntro } from '../http/errors/problem-reference';
export { HSTS_SECONDS } from '../http/limits';
export { isAuthorizationPage, rejectFormPost } from '../http/pages/page-requests';
export { requestIdOf } from '../http/request';
export { hasCode } from '../platform/errors';
export { readFromReplica };

/** The data of a page request that Next passes. */
interface PageRequest {
  cookies: { get(name: string): { value: string } | undefined };
  headers: { get(name: string): string | null };
}

/**
 * Returns the context of a page: the user of the session cookie, a guest or an anonymous visitor. Pages only read;
 * writes use the API.
 */
export async function readPageContext({ cookies, headers }: PageRequest): Promise<Ctx> {
  const now = new Date();
  const cookie = cookies.get(sessionCookieName())?.value;
  const user = cookie ? await findSessionActor(cookie, now) : null;
  const guestValue = user ? undefined : cookies.get(guestCookieName())?.value;
  const userAgent = headers.get('user-agent') ?? '';
  const guest = guestValue ? await findGuestActor(guestValue, { userAgent, now }) : null;
  return {
    actor: user ?? guest ?? { kind: 'anonymous' },
    requestId: headers.get('x-request-id') ?? newId('req'),
    signal: new AbortController().signal,
    now,
  };
}

/**
 * Makes the language that a page's URL selects the language of emails to the signed-in reader. If that fails, the error
 * is logged and the page is served.
 */
export async function saveLanguage(request: PageRequest, locale: OfferedLocale): Promise<void> {
  try {
    await chooseLanguage({ ctx: await readPageContext(request), input: { locale } });
  } catch (error) {
    log.warn('page.language_not_saved', errorFields(error));
  }
}

/** Returns the reference of every documented endpoint. */
export function describeEndpoints(): ReturnType<typeof describeApi> {
  return describeApi(endpoints);
}

/** Returns the origin of absolute URLs on pages (`APP_URL`), without a trailing slash. */
export function siteOrigin(): string {
  return env().APP_URL;
}

/**
 * Returns the origins to which a sign-in form may redirect: the authorization endpoints of the configured providers.
 * Chromium applies `form-action` to every redirect after a form submission.
 */
export function signInOrigins(): string[] {
  const { GITHUB_ID, GOOGLE_ID, OIDC_ISSUER } = env();
  const origins: string[] = [];
  if (GITHUB_ID) origins.push('https://github.com');
  if (GOOGLE_ID) origins.push('https://accounts.google.com');
  if (OIDC_ISSUER) origins.push(new URL(OIDC_ISSUER).origin);
  return origins;
}

/** Returns true under `npm run dev`. */
export function isDevelopment(): boolean {
  return env().NODE_ENV === 'development';
}
