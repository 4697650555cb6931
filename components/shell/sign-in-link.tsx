'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LinkButton } from '../ui/link-button';
import { routes, signInPath } from './routes';

/** Pages on the way in: from one to the next, the way back stays what it was. */
const onTheWay: string[] = [routes.signIn, routes.signUp, '/sign-up/sent', '/confirm'];

/** Sign-in that comes back to this page, query and all. */
export function SignInLink(): ReactNode {
  const t = useTranslations('shell.signInLink');
  const path = usePathname();
  const query = useSearchParams();
  const here = query.size > 0 ? `${path}?${query}` : path;
  return (
    <LinkButton href={signInPath(onTheWay.includes(path) ? (query.get('next') ?? routes.home) : here)} tone="primary">
      {t('signIn')}
    </LinkButton>
  );
}
