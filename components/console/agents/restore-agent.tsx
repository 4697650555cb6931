'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { callApi } from '../../forms/call-api';
import { Button } from '../../ui/controls/button';
import { toast } from '../../ui/overlays/toast';

/** Restores a withdrawn agent. */
export function RestoreAgent({ slug }: { slug: string }): ReactNode {
  const t = useTranslations('console.restoreAgent');
  const router = useRouter();
  const [pending, setPending] = useState(false);

  async function restore(): Promise<void> {
    setPending(true);
    const response = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/restore`);
    setPending(false);
    toast(response.ok ? { tone: 'good', text: t('restored') } : { tone: 'danger', text: response.problem.title });
    router.refresh();
  }

  return (
    <Button className="mt-3" onClick={() => void restore()} pending={pending} size="sm">
      {t('restore')}
    </Button>
  );
}
