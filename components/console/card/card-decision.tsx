'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { callApi } from '../../forms/call-api';
import { Button } from '../../ui/controls/button';
import { toast } from '../../ui/overlays/toast';

/** Approves the card with this digest. If a newer one has arrived, the page displays that one. */
export function ApproveCard({ slug, digest }: { slug: string; digest: string }): ReactNode {
  const t = useTranslations('console.acceptCard');
  const router = useRouter();
  const [pending, setPending] = useState(false);

  async function accept(): Promise<void> {
    setPending(true);
    const response = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/card/accept`, { digest });
    setPending(false);
    toast(response.ok ? { tone: 'good', text: t('accepted') } : { tone: 'danger', text: response.problem.title });
    router.refresh();
  }

  return (
    <Button onClick={() => void accept()} pending={pending} tone="primary">
      {t('accept')}
    </Button>
  );
}

/** Rejects the pending card. The listed one is kept, and the same card does not become pending again. */
export function RejectCard({ slug, digest }: { slug: string; digest: string }): ReactNode {
  const t = useTranslations('console.keepCard');
  const router = useRouter();
  const [pending, setPending] = useState(false);

  async function reject(): Promise<void> {
    setPending(true);
    const response = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/card/keep`, { digest });
    setPending(false);
    toast(response.ok ? { tone: 'good', text: t('kept') } : { tone: 'danger', text: response.problem.title });
    router.refresh();
  }

  return (
    <Button onClick={() => void reject()} pending={pending}>
      {t('keep')}
    </Button>
  );
}
