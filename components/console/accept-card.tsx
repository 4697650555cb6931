'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { callApi } from '../account/call-api';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';

/** Takes the card with this digest; when another one has come since, the page shows that one. */
export function AcceptCard({ slug, digest }: { slug: string; digest: string }): ReactNode {
  const t = useTranslations('console.acceptCard');
  const router = useRouter();
  const [pending, setPending] = useState(false);

  async function accept(): Promise<void> {
    setPending(true);
    const answer = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/card/accept`, { digest });
    setPending(false);
    toast(answer.ok ? { tone: 'good', text: t('accepted') } : { tone: 'danger', text: answer.problem.title });
    router.refresh();
  }

  return (
    <Button onClick={() => void accept()} pending={pending} tone="primary">
      {t('accept')}
    </Button>
  );
}
