import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LinkButton } from '../ui/controls/button';
import { Alert } from '../ui/display/alert';

/** An e-mailed link that is no longer valid, and a way to request another one. */
export function LinkExpired({ again }: { again: string }): ReactNode {
  const t = useTranslations('account.linkOver');
  return (
    <>
      <Alert title={t('title')} tone="warn">
        {t('hint')}
      </Alert>
      <LinkButton href={again} tone="primary">
        {t('again')}
      </LinkButton>
    </>
  );
}
