'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { callApi } from '../forms/call-api';
import { Button } from '../ui/controls/button';
import { toast } from '../ui/overlays/toast';

/** Resends one undelivered push. */
export function ResendPush({ id, url }: { id: string; url: string }): ReactNode {
  const t = useTranslations('console.resendPush');
  const router = useRouter();
  const [pending, setPending] = useState(false);

  async function resend(): Promise<void> {
    setPending(true);
    const response = await callApi('POST', `/api/push/dead-letters/${id}/resend`);
    setPending(false);
    if (!response.ok) return toast({ tone: 'danger', text: response.problem.title });
    const { taken, httpStatus } = response.body as { taken: boolean; httpStatus?: number | null };
    const refusal = httpStatus ? t('refused', { status: String(httpStatus) }) : t('noAnswer');
    toast(taken ? { tone: 'good', text: t('taken') } : { tone: 'danger', text: refusal });
    router.refresh();
  }

  return (
    <Button aria-label={t('sendTo', { url })} onClick={() => void resend()} pending={pending} size="sm">
      {t('send')}
    </Button>
  );
}
