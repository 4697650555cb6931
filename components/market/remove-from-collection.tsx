'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useTransition } from 'react';
import { callApi } from '../forms/call-api';
import { Button } from '../ui/controls/button';
import { toast } from '../ui/overlays/toast';

/** Removes an agent from the user's own collection. */
export function RemoveFromCollection({ id, slug, name }: { id: string; slug: string; name: string }): ReactNode {
  const t = useTranslations('market.removeCollected');
  const router = useRouter();
  const [pending, startTransition] = useTransition();

  function remove(): void {
    startTransition(async () => {
      const response = await callApi('DELETE', `/api/collections/${id}/agents/${encodeURIComponent(slug)}`);
      if (!response.ok) return toast({ tone: 'danger', text: response.problem.title });
      toast({ tone: 'good', text: t('done', { name }) });
      router.refresh();
    });
  }

  return (
    <Button onClick={remove} pending={pending} size="sm" tone="quiet">
      {t.rich('remove', { name, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}
    </Button>
  );
}
