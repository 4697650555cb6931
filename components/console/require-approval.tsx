'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { callApi } from '../forms/call-api';
import { Checkbox } from '../forms/inputs';
import { toast } from '../ui/overlays/toast';

/** The choice of whether a changed card requires the team's approval; saved immediately. */
export function RequireApproval({ slug, holds }: { slug: string; holds: boolean }): ReactNode {
  const t = useTranslations('console.holdCards');
  const router = useRouter();
  const [checked, setChecked] = useState(holds);

  async function save(holdsCards: boolean): Promise<void> {
    setChecked(holdsCards);
    const response = await callApi('PATCH', `/api/agents/${encodeURIComponent(slug)}`, { holdsCards });
    if (!response.ok) {
      setChecked(!holdsCards);
      return toast({ tone: 'danger', text: response.problem.title });
    }
    toast({ tone: 'good', text: t(holdsCards ? 'held' : 'live') });
    router.refresh();
  }

  return (
    <Checkbox
      checked={checked}
      hint={t('hint')}
      label={t('label')}
      onChange={(event) => void save(event.target.checked)}
    />
  );
}
