'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { callApi } from '../account/call-api';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';

/** Brings a withdrawn agent back as it was. */
export function RestoreAgent({ slug }: { slug: string }): ReactNode {
  const t = useTranslations('console.restoreAgent');
  const router = useRouter();
  const [pending, setPending] = useState(false);

  async function restore(): Promise<void> {
    setPending(true);
    const answer = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/restore`);
    setPending(false);
    toast(answer.ok ? { tone: 'good', text: t('restored') } : { tone: 'danger', text: answer.problem.title });
    router.refresh();
  }

  return (
    <Button className="mt-3" onClick={() => void restore()} pending={pending} size="sm">
      {t('restore')}
    </Button>
  );
}
