'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useState } from 'react';
import { callApi } from '../../../forms/call-api';
import { Button } from '../../../ui/controls/button';
import { lazyComponent } from '../../../ui/overlays/lazy';
import { toast } from '../../../ui/overlays/toast';

const ExampleDialog = lazyComponent(async () => (await import('./example-dialog')).ExampleDialog);

/** The controls with which the agent's developers choose, replace or remove the example conversation. */
export function ExampleControls({ slug, hasExample }: { slug: string; hasExample: boolean }): ReactNode {
  const t = useTranslations('market.exampleControls');
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const router = useRouter();

  async function remove(): Promise<void> {
    setPending(true);
    const answer = await callApi('DELETE', `/api/agents/${encodeURIComponent(slug)}/example`);
    setPending(false);
    toast(answer.ok ? { tone: 'good', text: t('removed') } : { tone: 'danger', text: answer.problem.title });
    if (answer.ok) router.refresh();
  }

  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-dashed border-line-strong p-4">
      <p className="min-w-0 flex-1 basis-60 text-sm text-muted">{t(hasExample ? 'hint' : 'invitation')}</p>
      <div className="flex gap-2">
        {hasExample ? (
          <Button onClick={() => void remove()} pending={pending} size="sm" tone="quiet">
            {t('remove')}
          </Button>
        ) : null}
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)} size="sm">
          {t(hasExample ? 'replace' : 'choose')}
        </Button>
      </div>
      {open ? (
        <Suspense fallback={null}>
          <ExampleDialog
            onOpenChange={setOpen}
            onPublished={() => {
              setOpen(false);
              toast({ tone: 'good', text: t('published') });
              router.refresh();
            }}
            slug={slug}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
