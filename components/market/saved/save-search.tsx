'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useState } from 'react';
import type { SavedQuery } from '@/lib/discovery/schema-saved-searches';
import { signInPath } from '../../routes';
import { Button, type ButtonStyle, LinkButton } from '../../ui/controls/button';
import { lazyComponent } from '../../ui/overlays/lazy';

const SaveSearchDialog = lazyComponent(async () => (await import('./save-search-dialog')).SaveSearchDialog);

export interface SaveSearchProps extends ButtonStyle {
  query: SavedQuery;
  /** The search in words, which is the default name. */
  description: string;
  /** The path of the results. */
  href: string;
  signedIn: boolean;
}

/** Saves a search, in order to be notified of new agents; without a session, after sign-in. */
export function SaveSearch({ query, description, href, signedIn, ...style }: SaveSearchProps): ReactNode {
  const t = useTranslations('market.saveSearch');
  const [open, setOpen] = useState(false);
  if (!signedIn) {
    return (
      <LinkButton href={signInPath(href)} {...style}>
        {t('save')}
      </LinkButton>
    );
  }
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)} {...style}>
        {t('save')}
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <SaveSearchDialog description={description} onOpenChange={setOpen} query={query} />
        </Suspense>
      ) : null}
    </>
  );
}
