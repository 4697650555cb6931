'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState, useTransition } from 'react';
import { MAX_COLLECTION_DESCRIPTION, MAX_COLLECTION_TITLE } from '@/lib/discovery/limits';
import type { CollectionSummary } from '@/lib/discovery/schema-collections';
import { callApi } from '../../forms/call-api';
import { ChoiceList } from '../../forms/choice-list';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input, Textarea } from '../../forms/inputs';
import { type Fields, useForm } from '../../forms/use-form';
import { collectionPath, routes } from '../../routes';
import { Button } from '../../ui/controls/button';
import { LazyDialog } from '../../ui/overlays/lazy';
import { toast } from '../../ui/overlays/toast';

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

const visibilities = ['private', 'public'] as const;

interface CollectionDialogProps {
  /** The collection to edit; null to create one. */
  collection: CollectionSummary | null;
  onClose: () => void;
  /** Gets the saved collection. With `leaving` the form stays pending, because the browser navigates. */
  onSaved: (saved: CollectionSummary) => 'leaving' | 'staying';
}

/** Title, description and visibility of a new or existing collection. */
function CollectionDialog({ collection, onClose, onSaved }: CollectionDialogProps): ReactNode {
  const t = useTranslations('market.collectionDialog');
  const { form, pending, problem, fieldErrors } = useForm({
    method: collection ? 'PATCH' : 'POST',
    path: collection ? `/api/collections/${collection.id}` : '/api/collections',
    toBody: ({ title, description, visibility }: Fields) => ({ title, description, visibility }),
    onDone: (body) => onSaved(body as CollectionSummary),
  });
  const choices = visibilities.map((value) => ({
    value,
    label: t(`choices.${value}.label`),
    hint: t(`choices.${value}.hint`),
  }));
  return (
    <LazyDialog onOpenChange={onClose} title={t(collection ? 'editTitle' : 'newTitle')}>
      <form {...form} className="space-y-5">
        <FormProblem problem={problem} />
        <Field error={fieldErrors.title} id="collection-title" label={t('titleLabel')} required>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              defaultValue={collection?.title}
              maxLength={MAX_COLLECTION_TITLE}
              name="title"
            />
          )}
        </Field>
        <Field error={fieldErrors.description} id="collection-description" label={t('descriptionLabel')}>
          {(control) => (
            <Textarea
              {...control}
              defaultValue={collection?.description}
              maxLength={MAX_COLLECTION_DESCRIPTION}
              name="description"
              rows={3}
            />
          )}
        </Field>
        <ChoiceList
          choices={choices}
          defaultValue={collection?.visibility ?? 'private'}
          legend={t('visibility')}
          name="visibility"
        />
        <Button pending={pending} tone="primary" type="submit">
          {t(collection ? 'save' : 'create')}
        </Button>
      </form>
    </LazyDialog>
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
