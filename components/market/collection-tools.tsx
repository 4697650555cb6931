'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_COLLECTION_DESCRIPTION, MAX_COLLECTION_TITLE } from '@/lib/discovery/limits';
import type { CollectionSummary } from '@/lib/discovery/schema-collections';
import { callApi } from '../account/call-api';
import { ConfirmDialog } from '../account/confirm-dialog';
import { FormProblem } from '../account/form-problem';
import { type Fields, useForm } from '../account/use-form';
import { routes } from '../shell/routes';
import { Button } from '../ui/button';
import { ChoiceList } from '../ui/choice-list';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { LazyDialog } from '../ui/lazy-dialog';
import { Textarea } from '../ui/textarea';
import { toast } from '../ui/toast';

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
      {editing ? <EditDialog collection={collection} onClose={() => setEditing(false)} /> : null}
    </div>
  );
}

const visibilities = ['private', 'public'] as const;

function EditDialog({ collection, onClose }: { collection: CollectionSummary; onClose: () => void }): ReactNode {
  const t = useTranslations('market.collectionTools');
  const router = useRouter();
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PATCH',
    path: `/api/collections/${collection.id}`,
    toBody: ({ title, description, visibility }: Fields) => ({ title, description, visibility }),
    onDone() {
      router.refresh();
      onClose();
      return 'staying';
    },
  });
  const choices = visibilities.map((value) => ({
    value,
    label: t(`choices.${value}.label`),
    hint: t(`choices.${value}.hint`),
  }));
  return (
    <LazyDialog onOpenChange={onClose} title={t('editTitle')}>
      <form {...form} className="space-y-5">
        <FormProblem problem={problem} />
        <Field error={fieldErrors.title} id="collection-title" label={t('titleLabel')} required>
          {(control) => (
            <Input {...control} defaultValue={collection.title} maxLength={MAX_COLLECTION_TITLE} name="title" />
          )}
        </Field>
        <Field error={fieldErrors.description} id="collection-description" label={t('descriptionLabel')}>
          {(control) => (
            <Textarea
              {...control}
              defaultValue={collection.description}
              maxLength={MAX_COLLECTION_DESCRIPTION}
              name="description"
              rows={3}
            />
          )}
        </Field>
        <ChoiceList choices={choices} defaultValue={collection.visibility} legend={t('visibility')} name="visibility" />
        <Button pending={pending} tone="primary" type="submit">
          {t('save')}
        </Button>
      </form>
    </LazyDialog>
  );
}
