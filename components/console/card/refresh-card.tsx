'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { CardRefresh } from '@/lib/catalog/schema-cards';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { FormProblem } from '../../forms/form-problem';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { announce } from '../../ui/overlays/announcer';
import { useSuccess } from '../../ui/overlays/toast';
import { DifferenceList } from './difference-list';

/** Fetches the card immediately, displays its changes, and approves or rejects them. */
export function RefreshCard({ slug }: { slug: string }): ReactNode {
  const t = useTranslations('console.refreshCard');
  const succeed = useSuccess();
  const [pending, setPending] = useState<'look' | 'list' | null>(null);
  const [found, setFound] = useState<CardRefresh | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const path = `/api/agents/${encodeURIComponent(slug)}/refresh`;

  async function fetchCard(): Promise<void> {
    setPending('look');
    setProblem(null);
    setFound(null);
    const response = await callApi('POST', path, {});
    setPending(null);
    if (!response.ok) return setProblem(response.problem);
    setFound(response.body as CardRefresh);
    announce(t('read'));
  }

  async function list({ etag }: CardRefresh): Promise<void> {
    setPending('list');
    const response = await callApi('POST', path, { etag });
    setPending(null);
    setFound(null);
    if (!response.ok) return setProblem(response.problem);
    succeed(t('listed'));
  }

  return (
    <div className="space-y-4">
      <FormProblem problem={problem} />
      {found?.changed ? (
        <section aria-label={t('news')}>
          <Card>
            <DifferenceList differences={found.diff} />
            <div className="flex flex-wrap justify-end gap-2 border-t border-line p-5">
              <Button onClick={() => setFound(null)}>{t('notNow')}</Button>
              <Button onClick={() => void list(found)} pending={pending === 'list'} tone="primary">
                {t('list')}
              </Button>
            </div>
          </Card>
        </section>
      ) : (
        <Button onClick={() => void fetchCard()} pending={pending === 'look'} tone="primary">
          {t('look')}
        </Button>
      )}
      {found && !found.changed ? <Alert live="polite">{t('nothingNew')}</Alert> : null}
    </div>
  );
}
