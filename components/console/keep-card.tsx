'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { callApi } from '../account/call-api';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';

/** Drops the card that waits; the listed one stays, and this one does not wait again. */
export function KeepCard({ slug, digest }: { slug: string; digest: string }): ReactNode {
  const t = useTranslations('console.keepCard');
  const router = useRouter();
  const [pending, setPending] = useState(false);

  async function keep(): Promise<void> {
    setPending(true);
    const answer = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/card/keep`, { digest });
    setPending(false);
    toast(answer.ok ? { tone: 'good', text: t('kept') } : { tone: 'danger', text: answer.problem.title });
    router.refresh();
  }

  return (
    <Button onClick={() => void keep()} pending={pending}>
      {t('keep')}
    </Button>
  );
}
