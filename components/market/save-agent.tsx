'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useState } from 'react';
import { agentPath, signInPath } from '../shell/routes';
import { Button } from '../ui/button';
import { lazyPart } from '../ui/lazy-part';
import { LinkButton } from '../ui/link-button';

const SaveDialog = lazyPart(async () => (await import('./save-dialog')).SaveDialog);

export interface SaveAgentProps {
  slug: string;
  name: string;
  signedIn: boolean;
}

/** Keeps an agent in one's collections; whoever is not signed in signs in first and comes back. */
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
