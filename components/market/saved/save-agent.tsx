'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useState } from 'react';
import { agentPath, signInPath } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { lazyComponent } from '../../ui/overlays/lazy';

const SaveDialog = lazyComponent(async () => (await import('./save-dialog')).SaveDialog);

export interface SaveAgentProps {
  slug: string;
  name: string;
  signedIn: boolean;
}

/** Saves an agent in the user's collections or, without a session, after sign-in. */
export function SaveAgent({ slug, name, signedIn }: SaveAgentProps): ReactNode {
  const t = useTranslations('market.saveAgent');
  const [open, setOpen] = useState(false);
  if (!signedIn) {
    return (
      <LinkButton href={signInPath(agentPath(slug))} size="lg">
        {t('save')}
      </LinkButton>
    );
  }
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)} size="lg">
        {t('save')}
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <SaveDialog name={name} onOpenChange={setOpen} slug={slug} />
        </Suspense>
      ) : null}
    </>
  );
}
