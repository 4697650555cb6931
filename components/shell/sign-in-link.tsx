'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes, signInPath } from '../routes';
import { type ButtonTone, LinkButton } from '../ui/controls/button';

/** Pages of the sign-in flow: links between them keep the original return path. */
const signInPages: string[] = [routes.signIn, routes.signUp, '/sign-up/sent', '/confirm'];

export interface SignInLinkProps {
  to?: 'signIn' | 'signUp';
  tone?: ButtonTone;
  className?: string;
}

/** Sign-in, or sign-up, that returns to this page, including its query. */
export function SignInLink({ to = 'signIn', tone = 'primary', className }: SignInLinkProps): ReactNode {
  const t = useTranslations('shell.signInLink');
  const path = usePathname();
  const query = useSearchParams();
  const here = query.size > 0 ? `${path}?${query}` : path;
  const returnTo = signInPages.includes(path) ? (query.get('next') ?? routes.home) : here;
  return (
    <LinkButton className={className} href={signInPath(returnTo, to)} tone={tone}>
      {t(to)}
    </LinkButton>
  );
}
