'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LinkButton } from '../ui/link-button';
import { routes, signInPath } from './routes';

/** Pages of the sign-in flow: links between them keep the original return path. */
const signInPages: string[] = [routes.signIn, routes.signUp, '/sign-up/sent', '/confirm'];

/** Sign-in that returns to this page, including its query. */
export function SignInLink(): ReactNode {
  const t = useTranslations('shell.signInLink');
  const path = usePathname();
  const query = useSearchParams();
  const here = query.size > 0 ? `${path}?${query}` : path;
  return (
    <LinkButton
      href={signInPath(signInPages.includes(path) ? (query.get('next') ?? routes.home) : here)}
      tone="primary"
    >
      {t('signIn')}
    </LinkButton>
  );
}
