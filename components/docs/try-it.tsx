'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useState } from 'react';
import { Button } from '../ui/controls/button';
import { lazyComponent } from '../ui/overlays/lazy';
import type { TryFormProps } from './try-form';

const TryForm = lazyComponent(async () => (await import('./try-form')).TryForm);

/** Opens the form that sends the request. Its script is loaded on the first click. */
export function TryIt(props: TryFormProps): ReactNode {
  const t = useTranslations('docs.tryIt');
  const [open, setOpen] = useState(false);
  if (!open) {
    return (
      <Button
        aria-label={t('label', { method: props.method, path: props.path })}
        onClick={() => setOpen(true)}
        size="sm"
      >
        {t('open')}
      </Button>
    );
  }
  return (
    <Suspense fallback={<p className="text-muted">{t('loading')}</p>}>
      <TryForm {...props} />
    </Suspense>
  );
}
