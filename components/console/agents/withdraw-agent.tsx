'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { routes } from '../../routes';
import { Button } from '../../ui/controls/button';
import { toast } from '../../ui/overlays/toast';

/** Withdraws an agent from Parley, after confirmation. */
export function WithdrawAgent({ slug, name }: { slug: string; name: string }): ReactNode {
  const t = useTranslations('console.withdrawAgent');
  const router = useRouter();

  function withdrawn(): void {
    toast({ tone: 'good', text: t('withdrawn', { name }) });
    router.push(routes.console);
    router.refresh();
  }

  return (
    <ConfirmDialog
      action={t('withdraw')}
      onDone={withdrawn}
      path={`/api/agents/${encodeURIComponent(slug)}`}
      title={t.rich('title', { name, agent: (chunks) => <bdi>{chunks}</bdi> })}
      trigger={<Button>{t('withdraw')}</Button>}
    >
      {t('text')}
    </ConfirmDialog>
  );
}
