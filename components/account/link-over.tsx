import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Alert } from '../ui/alert';
import { LinkButton } from '../ui/link-button';

/** A link from a mail that opens nothing any more, and where to get another. */
export function LinkOver({ again }: { again: string }): ReactNode {
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
