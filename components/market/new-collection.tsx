'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { collectionPath } from '../routes';
import { Button } from '../ui/controls/button';
import { CollectionDialog } from './collection-dialog';

/** Creates a collection and opens its page. */
export function NewCollection(): ReactNode {
  const t = useTranslations('market.collectionDialog');
  const router = useRouter();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)} tone="primary">
        {t('newTitle')}
      </Button>
      {open ? (
        <CollectionDialog
          collection={null}
          onClose={() => setOpen(false)}
          onSaved={({ id }) => {
            router.push(collectionPath(id));
            return 'leaving';
          }}
        />
      ) : null}
    </>
  );
}
