import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { withNext } from '@/lib/identity/schema';
import type { Texts } from '../../lib/texts/en';
import { paymentSettings, routes } from '../routes';
import { LinkButton } from '../ui/controls/button';
import { Alert } from '../ui/display/alert';

export interface ReauthenticateProps {
  /** A path of this site. */
  returnTo: string;
  /** The action that requires it. */
  what?: keyof Texts['payments']['signInAgain']['to'];
}

/** Requires a fresh sign-in, which returns to the current page. */
export function Reauthenticate({ returnTo, what = 'pay' }: ReauthenticateProps): ReactNode {
  const t = useTranslations('payments.signInAgain');
  return (
    <Alert live="polite" title={t(`to.${what}`)} tone="warn">
      <p>{t('hint')}</p>
      <LinkButton className="mt-3" href={withNext(routes.signIn, returnTo, { reason: 'pay' })} size="sm" tone="primary">
        {t('signIn')}
      </LinkButton>
    </Alert>
  );
}

/** A warning for a user whose own limit requires a passkey, but who has none. */
export function PasskeyMissing(): ReactNode {
  const t = useTranslations('payments.signInAgain');
  return (
    <Alert title={t('passkeyMissing')} tone="warn">
      <p>{t('passkeyMissingHint')}</p>
      <LinkButton className="mt-3" href={paymentSettings('passkeys')} size="sm">
        {t('addPasskey')}
      </LinkButton>
    </Alert>
  );
}
