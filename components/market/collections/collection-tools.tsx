'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState, useTransition } from 'react';
import type { CollectionSummary } from '@/lib/discovery/schema-collections';
import { callApi } from '../../forms/call-api';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { routes } from '../../routes';
import { Button } from '../../ui/controls/button';
import { toast } from '../../ui/overlays/toast';
import { CollectionDialog } from './collection-dialog';

interface ToolsProps {
  collection: CollectionSummary;
  isAdmin: boolean;
}

/** Actions of a collection's owner, and of an admin. */
export function CollectionTools({ collection, isAdmin }: ToolsProps): ReactNode {
  const t = useTranslations('market.collectionTools');
  const router = useRouter();
  const [editing, setEditing] = useState(false);

  function deleted(): void {
    toast({ tone: 'good', text: t('deleted') });
    router.push(routes.collections);
    router.refresh();
  }

  function saved(): 'staying' {
    router.refresh();
    setEditing(false);
    return 'staying';
  }

  async function recommend(): Promise<void> {
    const response = await callApi('PATCH', `/api/collections/${collection.id}`, { isCurated: !collection.isCurated });
    if (!response.ok) return toast({ tone: 'danger', text: response.problem.title });
    router.refresh();
  }

  return (
    <div className="flex flex-wrap gap-2">
      {isAdmin && collection.visibility === 'public' ? (
        <Button onClick={() => void recommend()}>{t(collection.isCurated ? 'stopRecommending' : 'recommend')}</Button>
      ) : null}
      {collection.isOwn ? (
        <>
          <Button aria-haspopup="dialog" onClick={() => setEditing(true)}>
            {t('edit')}
          </Button>
          <ConfirmDialog
            action={t('deleteCollection')}
            onDone={deleted}
            path={`/api/collections/${collection.id}`}
            title={t.rich('deleteTitle', { title: collection.title, name: (chunks) => <bdi>{chunks}</bdi> })}
            trigger={<Button>{t('delete')}</Button>}
          >
            {t('deleteWhat')}
          </ConfirmDialog>
        </>
      ) : null}
      {editing ? <CollectionDialog collection={collection} onClose={() => setEditing(false)} onSaved={saved} /> : null}
    </div>
  );
}

/** Removes an agent from the user's own collection. */
export function RemoveFromCollection({ id, slug, name }: { id: string; slug: string; name: string }): ReactNode {
  const t = useTranslations('market.removeCollected');
  const router = useRouter();
  const [pending, startTransition] = useTransition();

  function remove(): void {
    startTransition(async () => {
      const response = await callApi('DELETE', `/api/collections/${id}/agents/${encodeURIComponent(slug)}`);
      if (!response.ok) return toast({ tone: 'danger', text: response.problem.title });
      toast({ tone: 'good', text: t('done', { name }) });
      router.refresh();
    });
  }

  return (
    <Button onClick={remove} pending={pending} size="sm" tone="quiet">
      {t.rich('remove', { name, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}
    </Button>
  );
}
