import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { withNext } from '@/lib/identity/schema';
import { routes } from '../shell/routes';
import type { Texts } from '../texts/texts';
import { Alert } from '../ui/alert';
import { LinkButton } from '../ui/link-button';

export interface SignInAgainProps {
  /** A path of this site. */
  returnTo: string;
  /** What the person is about to do. */
  what?: keyof Texts['payments']['signInAgain']['to'];
}

/** Asks for a fresh sign-in, which comes back to where the person is. */
export function SignInAgain({ returnTo, what = 'pay' }: SignInAgainProps): ReactNode {
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

/** The person's own limit asks for a passkey that they do not have. */
export function PasskeyMissing(): ReactNode {
  const t = useTranslations('payments.signInAgain');
  return (
    <Alert title={t('passkeyMissing')} tone="warn">
      <p>{t('passkeyMissingHint')}</p>
      <LinkButton className="mt-3" href={routes.payments} size="sm">
        {t('addPasskey')}
      </LinkButton>
    </Alert>
  );
}
