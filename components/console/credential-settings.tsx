'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CredentialView } from '@/lib/catalog/schema-credentials';
import { ConfirmDialog } from '../forms/confirm-dialog';
import { Button } from '../ui/controls/button';
import { Card } from '../ui/display/card';
import { useFormat } from '../ui/display/format';
import { toast } from '../ui/overlays/toast';
import { CredentialForm } from './credential-form';

interface CredentialSettingsProps {
  slug: string;
  credential: CredentialView | null;
}

/** The credential Parley sends when it calls the agent: its kind and age, and a way to replace and remove it. */
export function CredentialSettings({ slug, credential }: CredentialSettingsProps): ReactNode {
  const t = useTranslations('console.credentialSettings');
  const format = useFormat();
  const router = useRouter();
  const path = `/api/agents/${encodeURIComponent(slug)}/credentials`;

  function changed(text: string): void {
    toast({ tone: 'good', text });
    router.refresh();
  }

  return (
    <div className="space-y-6">
      {credential ? (
        <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 text-sm">
          <p className="min-w-0">
            <span className="block font-medium">{t(`isStored.${credential.kind}`)}</span>
            <span className="text-muted">
              {t.rich('since', {
                since: format.date(credential.setAt, 'moment'),
                time: (since) => <time dateTime={credential.setAt}>{since}</time>,
              })}
            </span>
          </p>
          <ConfirmDialog
            action={t('remove')}
            onDone={() => changed(t('removed'))}
            path={path}
            title={t('removeConfirm')}
            trigger={<Button size="sm">{t('remove')}</Button>}
          >
            {t('removeNote')}
          </ConfirmDialog>
        </Card>
      ) : null}
      <CredentialForm isReplacing={credential !== null} onStored={() => changed(t('stored'))} path={path} />
    </div>
  );
}
