import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { AuthorizationRefused, AuthorizationReturn } from '@/components/account/authorize/authorization-refused';
import { AuthorizationRequest } from '@/components/account/authorize/authorization-request';
import { authorizationPaths, routes, signInPath } from '@/components/routes';
import { safeNext } from '@/lib/identity/schema';
import { hasCode } from '@/lib/pages/site';
import { readAuthorization } from '@/lib/tokens';
import type { PageQuery } from '../../page-query';

/** Added to the request while the user signs in. */
const signedInMarker = 'signed_in';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.authorize');
  return { title: t('title') };
}

/** The authorization endpoint (RFC 6749 §3.1): the signed-in user's consent to an authorization request. */
export default async function AuthorizePage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { parameters, cameFromSignIn } = readParameters(await searchParams);
  const query = new URLSearchParams(parameters).toString();
  const returnTo = safeNext(
    `${authorizationPaths.authorize}?${new URLSearchParams([...parameters, [signedInMarker, '1']])}`,
  );
  const ctx = await pageContext();
  const step = await readAuthorization({ ctx, input: { query } }).catch(limited);
  switch (step.kind) {
    case 'limited':
      return <AuthorizationRefused reason="limited" />;
    case 'refused':
      return <AuthorizationRefused message={step.message} reason="invalid" />;
    case 'sign-in':
      if (returnTo === routes.home) return <AuthorizationRefused reason="too-long" />;
      return redirect(signInPath(returnTo));
    case 'redirect':
      // The chain of redirects that started with a form of the sign-in page must stay within that page's form-action.
      if (cameFromSignIn) return <AuthorizationReturn to={step.url} />;
      return redirect(step.url);
    case 'ask': {
      if (ctx.actor.kind !== 'user') return redirect(signInPath(returnTo));
      const { name, email } = ctx.actor;
      return <AuthorizationRequest account={{ name, email, returnTo }} parameters={parameters} view={step.view} />;
    }
  }
}

/**
 * Returns the page for a rate limit.
 * @throws all other errors
 */
function limited(error: unknown): { kind: 'limited' } {
  if (hasCode(error, 'rate_limited')) return { kind: 'limited' };
  throw error;
}

/** Returns the parameters of the request as received, including duplicates, without our marker. */
function readParameters(query: Awaited<PageQuery>): { parameters: [string, string][]; cameFromSignIn: boolean } {
  const parameters = Object.entries(query).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
  return {
    parameters: parameters.filter(([name]) => name !== signedInMarker),
    cameFromSignIn: query[signedInMarker] !== undefined,
  };
}
