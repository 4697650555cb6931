import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../../routes';
import { buttonClass, LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { AccountFrame } from '../sign-in/account-frame';

interface AuthorizationRefusedProps {
  /**
   * `invalid`: its client or redirect URI (RFC 6749 §4.1.2.1). `limited`: there were too many lookups of clients.
   * `too-long`: it is too long for a redirect after sign-in.
   */
  reason: 'invalid' | 'limited' | 'too-long';
  /** The cause of the refusal, for the developer of the client. */
  message?: string;
}

/** An authorization request that Parley rejects without a redirect to its client, and the user's options. */
export function AuthorizationRefused({ reason, message }: AuthorizationRefusedProps): ReactNode {
  const t = useTranslations('account.authorizationRefused');
  return (
    <AccountFrame lead={t('lead')} title={t('title')}>
      <Alert title={t(`${reason}.title`)} tone={reason === 'invalid' ? 'danger' : 'warn'}>
        {message ? (
          <span className="break-words">
            {t.rich('message', { message, english: (chunks) => <span lang="en">{chunks}</span> })}
          </span>
        ) : null}
      </Alert>
      <p className="text-sm">{t(`${reason}.hint`)}</p>
      {reason === 'too-long' ? (
        <LinkButton href={routes.signIn} tone="primary">
          {t('signIn')}
        </LinkButton>
      ) : null}
    </AccountFrame>
  );
}

/**
 * Returns the user to a client immediately, by a separate navigation instead of a redirect. Works without JavaScript.
 */
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
