import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/controls/button';
import { AccountFrame } from './account-frame';

/** Returns the user to a client immediately, by a separate navigation instead of a redirect. Needs no script. */
export function AuthorizationReturn({ to }: { to: string }): ReactNode {
  const t = useTranslations('account.authorizationReturn');
  return (
    <AccountFrame title={t('title')}>
      <meta content={`0;url=${to}`} httpEquiv="refresh" />
      <p>{t('text')}</p>
      <a className={buttonClass({ tone: 'primary' })} href={to} rel="noreferrer">
        {t('continue')}
      </a>
    </AccountFrame>
  );
}
